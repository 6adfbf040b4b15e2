# The target `tamis`: what consumers see of it, and what stays inside.

target_include_directories(tamis PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tamis INTERFACE cxx_std_20)
target_link_libraries(tamis PRIVATE
  $<BUILD_INTERFACE:tamis_settings> $<BUILD_INTERFACE:tamis_format> hwy::hwy Threads::Threads)
set_target_properties(tamis PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# tamis_internal is what this repository's own programs link: they use more than a shared library exports.
if(BUILD_SHARED_LIBS)
  # Templates of the standard library are instantiated with default visibility; the script keeps them in.
  set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_link_options(tamis PRIVATE -Wl,--no-undefined -Wl,--version-script=${exports})
  set_target_properties(tamis PROPERTIES LINK_DEPENDS ${exports})

  add_library(tamis_internal STATIC $<TARGET_OBJECTS:tamis>)
  target_include_directories(tamis_internal PUBLIC ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(tamis_internal PUBLIC hwy::hwy Threads::Threads)
else()
  add_library(tamis_internal ALIAS tamis)
endif()
