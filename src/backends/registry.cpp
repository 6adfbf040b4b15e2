// The backends of this build.

#include "backends/backend.hpp"

#include <array>
#include <string>

namespace tamis {
namespace detail {

const BackendEntry* find_backend(Backend backend) {
  static constexpr std::array entries{&cpu_backend, &emulated_backend};
  for (const BackendEntry* entry : entries)
    if (entry->id == backend) return entry;
  return nullptr;
}

}  // namespace detail

Result<std::vector<Device>> devices(Backend backend) {
  const detail::BackendEntry* entry = detail::find_backend(backend);
  if (entry == nullptr) return {{Code::no_device, "this build has no " + std::string(name(backend)) + " backend"}};
  return entry->devices();
}

}  // namespace tamis
