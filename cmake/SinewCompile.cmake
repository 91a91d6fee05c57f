# sinew_compile(target): how every piece of our own code is compiled.

set(SINEW_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wvla -Wundef -Wpointer-arith -Wwrite-strings -Wformat=2
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wold-style-definition>)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND SINEW_WARNINGS -Wno-format-truncation) # snprintf cuts: that is why we use it
endif()

function(sinew_compile target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE ${SINEW_WARNINGS}
      # Results must not depend on whether a compiler fuses a*b+c.
      -ffp-contract=off)
  endif()
  if(SINEW_WERROR)
    set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR ON)
  endif()
  if(NOT SINEW_SIMD)
    target_compile_definitions(${target} PRIVATE SINEW_SCALAR_ONLY=1)
  endif()
endfunction()

# sinew_choose_kernels(list): of the sources, x_simd.c is a kernel for any processor of the
# kind that is built for, x_avx2.c the same text for x86 processors with AVX2 and FMA, chosen
# when the program runs.
function(sinew_choose_kernels list)
  set(sources "${${list}}")
  if(NOT SINEW_SIMD)
    list(FILTER sources EXCLUDE REGEX "_(simd|avx2)\\.c$")
  elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(FILTER sources EXCLUDE REGEX "_avx2\\.c$")
  endif()
  foreach(source IN LISTS sources)
    if(source MATCHES "_avx2\\.c$")
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
    endif()
  endforeach()
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()

if(SINEW_SANITIZE)
  # For the whole build, so that every executable links the run-time.
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
endif()
