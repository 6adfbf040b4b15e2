# What the library is built from. GLOBAL, so that a project which adds tamis as a subdirectory can link a static
# libtamis, whose own dependencies then join the link. fmt is compiled in (src/format).

find_package(fmt REQUIRED GLOBAL)
find_package(HWY REQUIRED GLOBAL)
find_package(Threads REQUIRED GLOBAL)
if(TAMIS_BUILD_CLI OR TAMIS_BUILD_TESTS OR TAMIS_BUILD_BENCH)
  find_package(nlohmann_json REQUIRED)
endif()
