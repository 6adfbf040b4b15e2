// The backends of this build.

#include <array>
#include <string>

#include "backends/backend.hpp"

namespace tamis {
namespace detail {

const BackendEntry* find_backend(Backend backend) {
  static constexpr std::array entries{
      &cpu_backend,
#ifdef TAMIS_HAS_EMULATED
      &emulated_backend,
#endif
#ifdef TAMIS_HAS_CUDA
      &cuda_backend,
#endif
#ifdef TAMIS_HAS_HIP
      &hip_backend,
#endif
  };
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
