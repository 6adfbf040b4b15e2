// Picked positions in the order that is asked for: as ranks (stages/sort.hpp), sorted on chip where they fit behind the
// kernel's Shared and in the workspace where they do not.
#pragma once

#include <cstdint>

#include "kernels/wide/picks.hpp"
#include "stages/row.hpp"
#include "stages/sort.hpp"

namespace tamis::kernels::wide {

struct Ranks {
  std::uint64_t* chip;
  std::uint64_t* workspace;
  bool on_chip;

  TAMIS_DEVICE static Ranks of(Tail tail, std::byte* room, int selected) {
    return {reinterpret_cast<std::uint64_t*>(tail.next), reinterpret_cast<std::uint64_t*>(room),
            selected * std::int64_t{8} <= tail.bytes};
  }

  TAMIS_DEVICE int position(int i) const {
    return static_cast<int>(~static_cast<std::uint32_t>(on_chip ? chip[i] : workspace[i]));
  }
};

// Puts entries a < b into order.
TAMIS_DEVICE void compare_exchange(std::uint64_t* list, unsigned a, unsigned b) {
  const std::uint64_t first = list[a];
  const std::uint64_t second = list[b];
  if (first >= second) return;
  list[a] = second;
  list[b] = first;
}

// The network of stages::sort, small: every step in one loop. Leaves the block synchronised.
template <class Block>
TAMIS_DEVICE void sort_ranks(Block block, std::uint64_t* list, unsigned count) {
  block.sync();
  for (unsigned half = 1; half < count; half *= 2) {
    for (unsigned reach = half; reach > 0; reach /= 2) {
      const unsigned pairs = (count + 2 * reach - 1) / (2 * reach) * reach;
      for (unsigned pair = block.rank(); pair < pairs; pair += Block::size) {
        const unsigned low = pair & (reach - 1);
        const unsigned run = (pair - low) * 2;
        const unsigned b = run + (reach == half ? 2 * reach - 1 - low : reach + low);
        if (b < count) compare_exchange(list, run + low, b);
      }
      block.sync();
    }
  }
}

template <class Block, ScoreType type>
TAMIS_DEVICE void rank_and_sort(Block block, std::uint64_t* list, const Picks& picks, const stages::Row<type>& row,
                                Order order, int selected) {
  for (int i = block.rank(); i < selected; i += Block::size) {
    const int position = picks.position(i);
    const std::uint32_t key = order == Order::by_score ? row.key(block.load(row.window + position)) : 0;
    list[i] = stages::rank_of(order, {key, position});
  }
  sort_ranks(block, list, static_cast<unsigned>(selected));
}

// Leaves the block synchronised on the sorted ranks.
template <class Block, ScoreType type>
TAMIS_DEVICE void sort_picks(Block block, const Ranks& ranks, const Picks& picks, const stages::Row<type>& row,
                             Order order, int selected) {
  if (ranks.on_chip)
    rank_and_sort(block, ranks.chip, picks, row, order, selected);
  else
    rank_and_sort(block, ranks.workspace, picks, row, order, selected);
}

}  // namespace tamis::kernels::wide
