// A row of which nearly every position is selected: the few that are not are found one after the other, the worst
// first, and no threshold is looked for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/register/shared.hpp"

namespace tamis::kernels::short_row {

// Positions in ascending order, few enough for registers.
struct Dropped {
  static constexpr int most = UsualCall::most_dropped;
  int position[most];

  TAMIS_DEVICE static Dropped none() {
    Dropped dropped;
    TAMIS_UNROLL
    for (int i = 0; i < most; ++i) dropped.position[i] = std::numeric_limits<int>::max();
    return dropped;
  }

  TAMIS_DEVICE void add(int added) {
    TAMIS_UNROLL
    for (int i = 0; i < most; ++i) {
      const int here = position[i];
      position[i] = std::min(here, added);
      added = std::max(here, added);
    }
  }

  // The position that is entry `entry` of those that stay.
  TAMIS_DEVICE int staying(int entry) const {
    TAMIS_UNROLL
    for (int i = 0; i < most; ++i) entry += position[i] <= entry ? 1 : 0;
    return entry;
  }
};

// The worst of the marked scores of a block that holds the row alone: the least key, and of equal ones the highest
// position, which higher lanes and warps hold. The `round`-th time, from 0 on. Leaves the block synchronised.
template <class Block, class Shared, class Held>
TAMIS_DEVICE int worst_position(Block block, Shared& shared, const Held& held, std::uint32_t marks, int round) {
  static_assert(Held::fours == 1 && Block::warps <= Block::lanes);
  std::uint32_t worst = ~0u;
  int position = 0;
  TAMIS_UNROLL
  for (int i = 0; i < Held::size; ++i) {
    const bool worse = (marks & Held::mark(i)) && key(held.score(i)) <= worst;
    worst = worse ? key(held.score(i)) : worst;
    position = worse ? held.position(i) : position;
  }
  auto& of_warp = shared.worst[round % 2];
  const auto last_with = [&](std::uint32_t mine) {
    return static_cast<int>(std::bit_width(block.ballot(mine == block.reduce_min(mine)))) - 1;
  };
  if (block.lane() == last_with(worst)) of_warp[block.warp()] = {worst, static_cast<std::uint32_t>(position)};
  block.sync();
  return static_cast<int>(of_warp[last_with(block.lane() < Block::warps ? of_warp[block.lane()][0] : ~0u)][1]);
}

// Drops `count` of the scores inside the window.
template <class Block, class Shared, class Held>
TAMIS_DEVICE Dropped drop_worst(Block block, Shared& shared, const Held& held, int count) {
  Dropped dropped = Dropped::none();
  std::uint32_t marks = held.valid;
  TAMIS_ROLL
  for (int round = 0; round < count; ++round) {
    const int position = worst_position(block, shared, held, marks, round);
    dropped.add(position);
    const auto distance = static_cast<unsigned>(position - held.first);
    if (distance < Held::size) marks &= ~(Held::mark(0) >> distance);
  }
  return dropped;
}

}  // namespace tamis::kernels::short_row
