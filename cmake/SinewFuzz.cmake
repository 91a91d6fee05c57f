# Each fuzz/*.c is one libFuzzer target, fuzz/support/*.c what they share. Only the
# targets link the fuzzer's main; the libraries are instrumented through SINEW_SANITIZE
# and the flag below. A codec's target is there where its library is.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "SINEW_BUILD_FUZZ needs clang (Debian: clang libclang-rt-dev)")
endif()
if(NOT SINEW_HAVE_CODEC)
  message(FATAL_ERROR "SINEW_BUILD_FUZZ needs meshoptimizer or Draco")
endif()
foreach(library sinew sinew-codec)
  target_compile_options(${library}-objects PRIVATE -fsanitize=fuzzer-no-link)
endforeach()

file(GLOB support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/support/*.c")
add_library(fuzz-support STATIC ${support})
sinew_compile(fuzz-support)
target_include_directories(fuzz-support PUBLIC "${PROJECT_SOURCE_DIR}/fuzz/support")
target_link_libraries(fuzz-support PUBLIC sinew-codec sinew-inside
  $<$<BOOL:${SINEW_MATH_LIBRARY}>:m>)

file(GLOB fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*.c")
foreach(path IN LISTS fuzzers)
  get_filename_component(name "${path}" NAME_WE)
  if((name STREQUAL "meshopt" AND NOT SINEW_MESHOPT) OR (name STREQUAL "draco" AND NOT SINEW_DRACO))
    continue()
  endif()
  add_executable(fuzz-${name} "${path}")
  set_target_properties(fuzz-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  sinew_compile(fuzz-${name})
  target_compile_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz-${name} PRIVATE fuzz-support)
endforeach()
