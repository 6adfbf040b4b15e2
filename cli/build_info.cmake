# Writes build_info.hpp with the commit of the moment; run by every build, and a no-op where nothing changed.
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE TAMIS_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT TAMIS_COMMIT)
  set(TAMIS_COMMIT unknown)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.hpp.in ${OUTPUT} @ONLY)
