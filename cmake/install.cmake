# Install rules, and the files by which other projects find tamis: a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)

set(TAMIS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tamis)

install(TARGETS tamis EXPORT tamis-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tamis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TAMIS_BUILD_CLI AND TARGET tamis_cli)
  install(TARGETS tamis_cli)
endif()

install(EXPORT tamis-targets NAMESPACE tamis:: DESTINATION ${TAMIS_CMAKE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tamis-config.cmake.in tamis-config.cmake
  INSTALL_DESTINATION ${TAMIS_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(tamis-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tamis-config.cmake ${PROJECT_BINARY_DIR}/tamis-config-version.cmake
  DESTINATION ${TAMIS_CMAKE_DIR})

# A static library cannot name what it needs: its pkg-config file does, for every consumer, not only for --static.
if(BUILD_SHARED_LIBS)
  set(TAMIS_PC_NEEDS "Requires.private: libhwy\nLibs.private: -pthread -lstdc++")
  set(TAMIS_PC_LIBS "")
else()
  set(TAMIS_PC_NEEDS "Requires: libhwy")
  set(TAMIS_PC_LIBS " -pthread -lstdc++ -lm")
  if(TAMIS_HAS_HIP)
    string(APPEND TAMIS_PC_LIBS " -ldl")
  endif()
  if(TAMIS_HAS_CUDA)
    string(PREPEND TAMIS_PC_LIBS " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl")
  endif()
endif()
# Relative to where the file lies, so that the package may be moved.
file(RELATIVE_PATH TAMIS_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/tamis.pc.in tamis.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tamis.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
