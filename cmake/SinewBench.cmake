# Each bench/*.c is a program bench-NAME: what it prints is told in bench/README.md.
file(GLOB benches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
foreach(path IN LISTS benches)
  get_filename_component(name "${path}" NAME_WE)
  add_executable(bench-${name} "${path}")
  set_target_properties(bench-${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  sinew_compile(bench-${name})
  if(SINEW_HAVE_CODEC)
    target_link_libraries(bench-${name} PRIVATE sinew-codec)
    target_compile_definitions(bench-${name} PRIVATE SINEW_HAVE_CODEC=1)
  endif()
  target_link_libraries(bench-${name} PRIVATE sinew-inside $<$<BOOL:${SINEW_MATH_LIBRARY}>:m>)
endforeach()
