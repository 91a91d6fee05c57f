# cmake -DSHADERS=a.glsl;b.glsl -DOUTPUT=path/without/suffix -P embed_shaders.cmake
get_filename_component(header "${OUTPUT}.h" NAME)
set(declarations "/* Generated from shaders/ by cmake/embed_shaders.cmake. */\n#pragma once\n\n")
set(definitions "/* Generated from shaders/ by cmake/embed_shaders.cmake. */\n#include \"${header}\"\n\n")
# ISO C promises 4095 characters a string; every compiler of today takes more.
string(APPEND definitions "#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n")
foreach(path IN LISTS SHADERS)
  get_filename_component(name "${path}" NAME_WLE) # draw.vert.glsl: draw_vert
  string(MAKE_C_IDENTIFIER "sinewi_shader_${name}" name)
  file(READ "${path}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  string(APPEND declarations "extern const char ${name}[];\n")
  string(APPEND definitions "\nconst char ${name}[] =\n    \"${text}\";\n")
endforeach()
file(WRITE "${OUTPUT}.h" "${declarations}")
file(WRITE "${OUTPUT}.c" "${definitions}")
