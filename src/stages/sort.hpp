// Sorting the selected items of a row, in shared memory or in the workspace: a bitonic network whose first step of each
// merge compares mirrored entries, so that all comparisons go the same way and any count of items will do.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "simt/common.hpp"
#include "stages/source.hpp"
#include "tamis/tamis.hpp"

namespace tamis::stages {

// Items in the order they are written: greatest `rank` first. A rank is unique and ends in the complement of the
// position, so a lower position comes first where the rest is equal.
struct Ranked {
  std::uint64_t* rank;
  std::uint32_t* bits;

  TAMIS_DEVICE int position(int i) const { return static_cast<int>(~static_cast<std::uint32_t>(rank[i])); }
};

inline constexpr int ranked_bytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);

// Room for `capacity` items at `data`, which is aligned to 8 bytes.
TAMIS_DEVICE Ranked ranked_at(std::byte* data, std::int64_t capacity) {
  auto* rank = reinterpret_cast<std::uint64_t*>(data);
  return {rank, reinterpret_cast<std::uint32_t*>(rank + capacity)};
}

TAMIS_DEVICE std::uint64_t rank_of(Order order, Item item) {
  const std::uint32_t key = order == Order::by_score ? item.key : 0;
  return std::uint64_t{key} << 32 | ~static_cast<std::uint32_t>(item.position);
}

TAMIS_DEVICE void put_ranked(Ranked list, int i, std::uint64_t rank, std::uint32_t bits) {
  list.rank[i] = rank;
  list.bits[i] = bits;
}

// Puts entries a < b into order.
TAMIS_DEVICE void compare_exchange(Ranked list, int a, int b) {
  const std::uint64_t first = list.rank[a];
  const std::uint64_t second = list.rank[b];
  if (first >= second) return;
  list.rank[a] = second;
  list.rank[b] = first;
  std::swap(list.bits[a], list.bits[b]);
}

// One step: entry i of each run of 2 * half against its partner, mirrored in the run or `half` further on. A partner
// behind the end counts as last and stays there.
template <class Block, class Partner>
TAMIS_DEVICE void sort_step(Block block, Ranked list, int count, int half, Partner partner) {
  const std::int64_t pairs = (static_cast<std::int64_t>(count) + 2 * half - 1) / (2 * half) * half;
  for (std::int64_t pair = block.rank(); pair < pairs; pair += Block::size) {
    const std::int64_t run = pair / half * 2 * half;
    const std::int64_t i = pair % half;
    const std::int64_t other = run + partner(i);
    if (other < count) compare_exchange(list, static_cast<int>(run + i), static_cast<int>(other));
  }
  block.sync();
}

// Sorts `count` items, on which the block is synchronised, greatest rank first. Leaves it synchronised on them.
template <class Block>
TAMIS_DEVICE_OUTLINED void sort(Block block, Ranked list, int count) {
  for (std::int64_t size = 2; size / 2 < count; size *= 2) {
    sort_step(block, list, count, static_cast<int>(size / 2), [=](std::int64_t i) { return size - 1 - i; });
    for (std::int64_t half = size / 4; half > 0; half /= 2)
      sort_step(block, list, count, static_cast<int>(half), [=](std::int64_t i) { return i + half; });
  }
}

}  // namespace tamis::stages
