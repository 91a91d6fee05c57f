# libsinew-codec: each decoder is built where its library is there.
set(sources src/codec/codec.c)
if(SINEW_MESHOPT)
  list(APPEND sources src/codec/meshopt.c src/codec/meshopt_filters.c)
endif()
if(SINEW_DRACO)
  list(APPEND sources src/codec/draco.cc)
endif()
sinew_library(sinew-codec "${sources}" EXPORT_NAME codec)
target_link_libraries(sinew-codec PUBLIC sinew)
sinew_link_inside(sinew-codec sinew)

# Links a decoder's library: here by its path, from an installed static libsinew-codec by
# its name, so that the package says nothing about places on this machine.
function(sinew_codec_link path)
  get_filename_component(name "${path}" NAME_WE)
  string(REGEX REPLACE "^lib" "" name "${name}")
  target_link_libraries(sinew-codec PRIVATE
    $<BUILD_INTERFACE:${path}> $<INSTALL_INTERFACE:${name}>)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(sinew-codec-inside PUBLIC ${path})
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY SINEW_CODEC_PC_LIBS " -l${name}")
endfunction()

if(SINEW_MESHOPT)
  file(STRINGS "${MESHOPT_INCLUDE_DIR}/meshoptimizer.h" version_line
       REGEX "define MESHOPTIMIZER_VERSION [0-9]+") # 180 is 0.18
  string(REGEX REPLACE ".*MESHOPTIMIZER_VERSION ([0-9]+).*" "\\1" number "${version_line}")
  math(EXPR major "${number} / 1000")
  math(EXPR minor "${number} % 1000 / 10")
  target_include_directories(sinew-codec-objects SYSTEM PRIVATE ${MESHOPT_INCLUDE_DIR})
  target_compile_definitions(sinew-codec-objects PRIVATE SINEW_CODEC_MESHOPT=1
    SINEW_MESHOPT_VERSION="${major}.${minor}")
  sinew_codec_link("${MESHOPT_LIBRARY}")
endif()
if(SINEW_DRACO)
  file(STRINGS "${DRACO_INCLUDE_DIR}/draco/core/draco_version.h" version_line
       REGEX "kDracoVersion.*\"[0-9.]+\"")
  string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" draco_version "${version_line}")
  target_include_directories(sinew-codec-objects SYSTEM PRIVATE ${DRACO_INCLUDE_DIR})
  target_compile_definitions(sinew-codec-objects PRIVATE SINEW_CODEC_DRACO=1
    SINEW_DRACO_VERSION="${draco_version}")
  sinew_codec_link("${DRACO_LIBRARY}")
  set_target_properties(sinew-codec PROPERTIES LINKER_LANGUAGE CXX)
  # The one C++ file's own need: a program in C that links the static library has it, too.
  set(runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(REMOVE_ITEM runtime ${CMAKE_C_IMPLICIT_LINK_LIBRARIES} m)
  foreach(name IN LISTS runtime)
    target_link_libraries(sinew-codec PRIVATE $<INSTALL_INTERFACE:${name}>)
    set_property(GLOBAL APPEND_STRING PROPERTY SINEW_CODEC_PC_LIBS " -l${name}")
  endforeach()
endif()
