# Install rules: libraries, public headers, command, CMake package, pkg-config
# files, man pages. render is the command's own and stays at home.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Sinew")
set(generated "${PROJECT_BINARY_DIR}/generated/package")

function(sinew_install_library name)
  install(TARGETS ${name} EXPORT ${name}-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(EXPORT ${name}-targets NAMESPACE Sinew:: DESTINATION "${package_dir}")
  # The prefix is found from where the .pc file lies, so the tree can be moved.
  file(RELATIVE_PATH SINEW_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" SINEW_PC_PREFIX "${SINEW_PC_PREFIX}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${generated}/${name}.pc" @ONLY)
  install(FILES "${generated}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# A static libsinew.a cannot carry its own need of libm, so every user links it.
set(SINEW_PC_LIBM "")
set(SINEW_PC_LIBM_PRIVATE "")
if(SINEW_MATH_LIBRARY AND BUILD_SHARED_LIBS)
  set(SINEW_PC_LIBM_PRIVATE "-lm")
elseif(SINEW_MATH_LIBRARY)
  set(SINEW_PC_LIBM "-lm")
endif()

# The same for libsinew-codec and the libraries that decode.
set(SINEW_PC_CODEC "")
set(SINEW_PC_CODEC_PRIVATE "")
if(SINEW_HAVE_CODEC)
  get_property(codec_libraries GLOBAL PROPERTY SINEW_CODEC_PC_LIBS)
  if(BUILD_SHARED_LIBS)
    set(SINEW_PC_CODEC_PRIVATE "${codec_libraries}")
  else()
    set(SINEW_PC_CODEC "${codec_libraries}")
  endif()
  set(SINEW_CODEC_WORDS "meshopt, Draco")
  if(NOT SINEW_DRACO)
    set(SINEW_CODEC_WORDS "meshopt")
  elseif(NOT SINEW_MESHOPT)
    set(SINEW_CODEC_WORDS "Draco")
  endif()
endif()

set(private_headers "render|view")
sinew_install_library(sinew)
foreach(part gl codec)
  string(TOUPPER ${part} PART)
  if(SINEW_HAVE_${PART})
    sinew_install_library(sinew-${part})
  else()
    string(APPEND private_headers "|${part}")
  endif()
endforeach()
file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/sinew/*.h")
list(FILTER headers EXCLUDE REGEX "/(${private_headers})(_[a-z]+)?\\.h$")
install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sinew")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/SinewConfig.cmake.in" "${generated}/SinewConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${generated}/SinewConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion) # until 1.0 a minor version may change the interface
install(FILES "${generated}/SinewConfig.cmake" "${generated}/SinewConfigVersion.cmake"
        DESTINATION "${package_dir}")

if(SINEW_HAVE_COMMAND)
  install(TARGETS sinew-command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(sinew-command PROPERTIES INSTALL_RPATH "$ORIGIN/${to_lib}")
  endif()
  file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.1")
  if(pages)
    install(FILES ${pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  endif()
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
