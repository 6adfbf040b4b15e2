# Warnings, includes and sanitizers of every target of this repository; none of them reaches a consumer.

set(TAMIS_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them: address,undefined or thread")
option(TAMIS_WERROR "Treat warnings as errors" OFF)

# g++ 12 reports -Wmaybe-uninitialized falsely for a std::string inside an aggregate; the sanitizers see the true ones.
add_library(tamis_settings INTERFACE)
target_compile_options(tamis_settings INTERFACE -Wall -Wextra -Wno-missing-field-initializers
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-unknown-pragmas>
  $<$<COMPILE_LANGUAGE:CXX>:-Wshadow> $<$<BOOL:${TAMIS_WERROR}>:-Werror>)
target_include_directories(tamis_settings INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(TAMIS_SANITIZE)
  # The instrumented library calls the sanitizer's runtime, so consumers of this build link it too: whole directory.
  add_compile_options(-fsanitize=${TAMIS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TAMIS_SANITIZE})
endif()
