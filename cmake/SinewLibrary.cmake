# sinew_library(name sources [EXPORT_NAME x])
#
# Makes the library `name`, the alias Sinew::x, and `name-inside`: the same code
# with its internals in reach, for our own other parts (gl uses src/base) and for
# unit tests. In a static build that is the library itself; a shared one hides
# everything that is not public, so it gets a static twin of the same objects.
function(sinew_library name sources)
  cmake_parse_arguments(arg "" "EXPORT_NAME" "" ${ARGN})
  if(NOT arg_EXPORT_NAME)
    set(arg_EXPORT_NAME ${name})
  endif()
  add_library(${name}-objects OBJECT ${sources})
  sinew_compile(${name}-objects)
  add_library(${name} $<TARGET_OBJECTS:${name}-objects>)
  add_library(Sinew::${arg_EXPORT_NAME} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(${name} PROPERTIES
    EXPORT_NAME ${arg_EXPORT_NAME} LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BUILD_SHARED_LIBS)
    target_compile_definitions(${name} PUBLIC SINEW_SHARED=1)
    target_compile_definitions(${name}-objects PRIVATE SINEW_SHARED=1 SINEW_BUILDING=1)
    add_library(${name}-inside STATIC $<TARGET_OBJECTS:${name}-objects>)
    set_target_properties(${name}-inside PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(${name}-inside PUBLIC ${name})
  else()
    add_library(${name}-inside ALIAS ${name})
  endif()
endfunction()

# Gives target the internals of a library without exporting them again.
function(sinew_link_inside target library)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(${target} PRIVATE ${library}-inside)
    target_link_options(${target} PRIVATE "LINKER:--exclude-libs,ALL")
  endif()
endfunction()

# Links the highest part that this build has, and tells the code which that is.
function(sinew_link_best target)
  if(SINEW_HAVE_RENDER)
    target_link_libraries(${target} PRIVATE sinew-render)
    target_compile_definitions(${target} PRIVATE SINEW_HAVE_RENDER=1)
  endif()
  if(SINEW_HAVE_GL)
    target_link_libraries(${target} PRIVATE sinew-gl)
    target_compile_definitions(${target} PRIVATE SINEW_HAVE_GL=1)
  endif()
  if(SINEW_HAVE_CODEC)
    target_link_libraries(${target} PRIVATE sinew-codec)
    target_compile_definitions(${target} PRIVATE SINEW_HAVE_CODEC=1)
  endif()
  target_link_libraries(${target} PRIVATE sinew)
  if(SINEW_MATH_LIBRARY)
    target_link_libraries(${target} PRIVATE m)
  endif()
endfunction()
