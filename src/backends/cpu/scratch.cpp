// Workers' buffers first, then the lists of parts, all on cache lines of their own.

#include "backends/cpu/scratch.hpp"

#include "backends/cpu/kernels.hpp"

namespace tamis::detail::cpu {
namespace {

constexpr std::uintptr_t line = 64;

std::byte* aligned(void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return static_cast<std::byte*>(data) + ((line - address % line) % line);
}

std::int32_t* entries(std::byte* at) { return reinterpret_cast<std::int32_t*>(at); }

}  // namespace

Scratch::Scratch(const CpuLayout& layout, Workspace workspace) : layout_(layout), base_(aligned(workspace.data)) {}

Candidates Scratch::candidates(std::int64_t worker) const {
  if (layout_.capacity == 0) return {};
  const std::size_t bytes = layout_.worker_bytes(), each = bytes / 4;
  std::byte* at = base_ + static_cast<std::size_t>(worker) * bytes;
  return {.keys = entries(at),
          .positions = entries(at + each),
          .spare_keys = entries(at + 2 * each),
          .spare_positions = entries(at + 3 * each),
          .capacity = layout_.capacity + filter_block,
          .count = 0};
}

PartList Scratch::list(std::int64_t task) const {
  const std::size_t bytes = layout_.list_bytes(), each = (bytes - line) / 2;
  std::byte* at = base_ + static_cast<std::size_t>(layout_.workers) * layout_.worker_bytes() +
                  static_cast<std::size_t>(task) * bytes;
  return {
      .count = reinterpret_cast<std::int64_t*>(at), .keys = entries(at + line), .positions = entries(at + line + each)};
}

}  // namespace tamis::detail::cpu
