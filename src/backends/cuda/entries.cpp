// The table of kernels, from the list of all. A kernel's address on the host is the runtime's name for it; its
// arguments are of no concern here.

#include "backends/cuda/entries.hpp"

#include <algorithm>

#define TAMIS_INSTANCE(name, ...) extern "C" void tamis_##name();
#include "kernels/instances/nvidia.def"
#undef TAMIS_INSTANCE

namespace tamis::cuda {

std::span<const Entry> entries() {
  static const Entry list[] = {
#define TAMIS_INSTANCE(name, ...) {#name, reinterpret_cast<const void*>(&tamis_##name)},
#include "kernels/instances/nvidia.def"
#undef TAMIS_INSTANCE
  };
  return list;
}

int find_entry(std::string_view name) {
  const std::span<const Entry> list = entries();
  const auto found = std::ranges::find(list, name, &Entry::name);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

}  // namespace tamis::cuda
