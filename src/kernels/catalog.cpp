#include "kernels/catalog.hpp"

#include <algorithm>

#include "kernels/methods.hpp"
#include "simt/host.hpp"

namespace tamis::kernels {
namespace {

// A kernel's Shared is a type, or a template over its block; barriers in it have one size on all targets.
template <class Kernel, class Block>
consteval std::int64_t shared_bytes() {
  if constexpr (requires { sizeof(typename Kernel::Shared); })
    return simt::tail_offset<typename Kernel::Shared>;
  else
    return simt::tail_offset<typename Kernel::template Shared<Block>>;
}

constexpr Instance list[] = {
#define TAMIS_INSTANCE(name, threads, blocks_per_unit, cluster, ...) \
  {#name, threads, blocks_per_unit, cluster, shared_bytes<__VA_ARGS__, simt::host::Block<threads, 32, cluster>>()},
#include "kernels/instances.def"
#undef TAMIS_INSTANCE
};

}  // namespace

std::span<const Instance> instances() { return list; }

const Instance* find_instance(std::string_view name) {
  const auto* found = std::ranges::find(list, name, &Instance::name);
  return found == std::end(list) ? nullptr : found;
}

}  // namespace tamis::kernels
