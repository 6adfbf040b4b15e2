# The target `tamis`: what consumers see of it, and what stays inside.

target_include_directories(tamis PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tamis INTERFACE cxx_std_20)
target_link_libraries(tamis PRIVATE
  $<BUILD_INTERFACE:tamis_settings> $<BUILD_INTERFACE:fmt::fmt-header-only> hwy::hwy Threads::Threads)
set_target_properties(tamis PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(BUILD_SHARED_LIBS)
  # Templates of the standard library are instantiated with default visibility; the script keeps them in.
  target_link_options(tamis PRIVATE -Wl,--no-undefined
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
  set_target_properties(tamis PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
endif()
