# sinew-glad: OpenGL's functions as a table a context, made by glad 2 (no network).
# One table for both: an ES context fills what ES has. 3.0 is needed of ES; what is
# newer is loaded where the context has it.
set(SINEW_GLAD_API "gl:core=3.3,gles2=3.2")
set(SINEW_GLAD_EXTENSIONS "GL_ARB_buffer_storage,GL_ARB_program_interface_query,GL_ARB_shader_storage_buffer_object,GL_ARB_texture_buffer_range,GL_KHR_debug")

set(dir "${PROJECT_BINARY_DIR}/generated/glad")
set(script "${PROJECT_SOURCE_DIR}/cmake/run_glad.cmake")
add_custom_command(
  OUTPUT "${dir}/src/gl.c" "${dir}/include/glad/gl.h"
  COMMAND "${CMAKE_COMMAND}" "-DGLAD=${SINEW_GLAD}" "-DAPI=${SINEW_GLAD_API}"
          "-DEXTENSIONS=${SINEW_GLAD_EXTENSIONS}" "-DOUTPUT=${dir}" -P "${script}"
  DEPENDS "${script}" "${CMAKE_CURRENT_LIST_FILE}" VERBATIM
  COMMENT "Generating the OpenGL loader")
add_custom_target(sinew-glad-files DEPENDS "${dir}/src/gl.c" "${dir}/include/glad/gl.h")

add_library(sinew-glad STATIC "${dir}/src/gl.c")
set_target_properties(sinew-glad PROPERTIES
  C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
target_include_directories(sinew-glad SYSTEM PUBLIC "${dir}/include")
# A host may have a glad of its own, with other functions in its table. Were the
# names alike, a static link would silently give us the host's loader for our
# table; so ours are renamed wherever our copy of the header is included.
target_compile_definitions(sinew-glad PUBLIC
  gladLoadGLContextUserPtr=sinewi_glad_load_user_ptr
  gladLoadGLContext=sinewi_glad_load
  gladLoadGLES2ContextUserPtr=sinewi_glad_load_es_user_ptr
  gladLoadGLES2Context=sinewi_glad_load_es)

# The library carries the loader's objects: it installs as one file.
function(sinew_use_glad library)
  add_dependencies(${library}-objects sinew-glad-files)
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:sinew-glad>)
  if(BUILD_SHARED_LIBS)
    target_sources(${library}-inside PRIVATE $<TARGET_OBJECTS:sinew-glad>)
  endif()
  target_include_directories(${library}-objects SYSTEM PRIVATE
    $<TARGET_PROPERTY:sinew-glad,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${library}-objects PRIVATE
    $<TARGET_PROPERTY:sinew-glad,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()
