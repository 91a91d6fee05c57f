# sinew_embed_shaders(target room): shaders/<room>/*.glsl become the constants
# `const char sinewi_shader_<file name>[]` of the header "<room>_shaders.h".
function(sinew_embed_shaders target room)
  file(GLOB shaders CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/shaders/${room}/*.glsl")
  set(dir "${PROJECT_BINARY_DIR}/generated/${room}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake")
  add_custom_command(
    OUTPUT "${dir}/${room}_shaders.c" "${dir}/${room}_shaders.h"
    COMMAND "${CMAKE_COMMAND}" "-DSHADERS=${shaders}" "-DOUTPUT=${dir}/${room}_shaders"
            -P "${script}"
    DEPENDS ${shaders} "${script}" VERBATIM
    COMMENT "Embedding the shaders of ${room}")
  target_sources(${target} PRIVATE "${dir}/${room}_shaders.c" "${dir}/${room}_shaders.h")
  target_include_directories(${target} PRIVATE "${dir}")
endfunction()
