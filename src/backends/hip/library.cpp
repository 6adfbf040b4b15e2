#include "backends/hip/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

namespace tamis::hip {
namespace {

constexpr std::array names{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};

// One that the program has opened already, or the newest that the loader finds, or where ROCm is installed.
void* open_library() {
  for (const char* name : names)
    if (void* opened = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return opened;
  for (const std::string folder : {"", "/opt/rocm/lib/"})
    for (const char* name : names)
      if (void* opened = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return opened;
  return nullptr;
}

template <class Function>
void find(void* opened, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(opened, name));
  if (function == nullptr && missing.empty()) missing = name;
}

Result<Library> read_library() {
  void* opened = open_library();
  if (opened == nullptr) return {{Code::no_device, "no HIP device: libamdhip64 (ROCm 5 to 7) is not on this machine"}};
  Library library;
  std::string missing;
#define TAMIS_HIP_FUNCTION(name, parameters) find(opened, "hip" #name, library.name, missing);
  TAMIS_HIP_FUNCTIONS(TAMIS_HIP_FUNCTION)
#undef TAMIS_HIP_FUNCTION
  find(opened, "hipGetErrorName", library.GetErrorName, missing);
  find(opened, "hipGetErrorString", library.GetErrorString, missing);
  if (!missing.empty())
    return {{Code::no_device, fmt::format("no HIP device: this machine's libamdhip64 has no {}", missing)}};
  return {{}, library};
}

}  // namespace

const Result<Library>& library() {
  static const Result<Library> opened = read_library();
  return opened;
}

Status status_of(Error error, std::string_view doing) {
  if (error == success) return {};
  const Library& hip = library().value;
  (void)hip.GetLastError();  // one that is not sticky is reported once, here
  return {Code::backend_error,
          fmt::format("HIP: {} while {}: {}", hip.GetErrorName(error), doing, hip.GetErrorString(error))};
}

}  // namespace tamis::hip
