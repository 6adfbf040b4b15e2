# What the library is built from. GLOBAL, so that a project which adds tamis as a subdirectory can link a static
# libtamis, whose own dependencies then join the link. fmt and nlohmann-json are headers and leave no trace.

find_package(fmt REQUIRED GLOBAL)
find_package(nlohmann_json REQUIRED GLOBAL)
find_package(HWY REQUIRED GLOBAL)
find_package(Threads REQUIRED GLOBAL)
