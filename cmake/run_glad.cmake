# Runs glad silently: its log is shown only when it fails. --reproducible takes
# the specification that glad ships, so nothing is downloaded.
execute_process(
  COMMAND "${GLAD}" --quiet --reproducible --merge --api "${API}" --extensions "${EXTENSIONS}"
          --out-path "${OUTPUT}" c --mx
  RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "glad failed (${result}); glad 2 is needed (Debian: python3-glad)\n${log}")
endif()
