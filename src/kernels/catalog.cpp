#include "kernels/catalog.hpp"

#include <algorithm>

#include "kernels/methods.hpp"
#include "simt/common.hpp"

namespace tamis::kernels {
namespace {

constexpr Instance list[] = {
#define TAMIS_INSTANCE(name, threads, blocks_per_unit, cluster, ...) \
  {#name, threads, blocks_per_unit, cluster, simt::tail_offset<typename __VA_ARGS__::Shared>},
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
