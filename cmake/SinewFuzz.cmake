# Each fuzz/*.c is one libFuzzer target. Only it links the fuzzer's main; the
# library is instrumented through SINEW_SANITIZE and the flag below.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "SINEW_BUILD_FUZZ needs clang (Debian: clang libclang-rt-dev)")
endif()
target_compile_options(sinew-objects PRIVATE -fsanitize=fuzzer-no-link)
file(GLOB fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*.c")
foreach(path IN LISTS fuzzers)
  get_filename_component(name "${path}" NAME_WE)
  add_executable(fuzz-${name} "${path}")
  set_target_properties(fuzz-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  sinew_compile(fuzz-${name})
  target_compile_options(fuzz-${name} PRIVATE -fsanitize=fuzzer -Wno-missing-prototypes)
  target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz-${name} PRIVATE sinew-inside)
endforeach()
