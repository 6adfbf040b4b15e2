// Which bin of a histogram holds the item of a rank, counted from the greatest bin down. One warp searches alone while
// the others go on with what they have: an instruction that all warps execute costs the block as many times more.
#pragma once

#include <cstdint>

#include "simt/common.hpp"

namespace tamis::kernels::stream {

struct Found {
  std::uint32_t bin;
  std::uint32_t above;   // items in greater bins
  std::uint32_t inside;  // items in the bin
};

// The lowest lane at which the sum over the lanes reaches `rank`, and the sum before it.
struct Crossing {
  int lane;
  std::uint32_t before;
};
template <class Block>
TAMIS_DEVICE Crossing cross(Block block, std::uint32_t value, std::uint32_t through, std::uint32_t rank) {
  const int lane = simt::lowest_bit(block.ballot(through >= rank));
  return {lane, block.shuffle(through - value, lane)};
}

// By one warp: the bin of the item of `rank` (1: the greatest). Bins are loaded four at a time by load(pack), a few
// packs a lane, the first lane having the greatest. `over` items are greater than those in bins: where they reach the
// rank, the bin found is `bins`.
template <int bins, class Block, class Load>
TAMIS_DEVICE Found find_rank(Block block, std::uint32_t rank, std::uint32_t over, Load load) {
  if (rank <= over) return {bins, 0, over};
  constexpr int mine = bins / 4 / Block::lanes;
  static_assert(mine * 4 * Block::lanes == bins);
  const int first = (Block::lanes - 1 - block.lane()) * mine;
  std::uint32_t counts[4 * mine];
  std::uint32_t sum = 0;
  TAMIS_UNROLL
  for (int i = 0; i < mine; ++i) {
    const simt::Pack<std::uint32_t, 4> four = load(first + i);
    TAMIS_UNROLL
    for (int j = 0; j < 4; ++j) sum += counts[4 * i + j] = four[j];
  }
  const std::uint32_t through = block.scan_add(sum);
  const Crossing segment = cross(block, sum, through, rank - over);
  std::uint32_t above = over + segment.before;
  Found found{0, above, 0};
  TAMIS_UNROLL
  for (int i = 4 * mine - 1; i >= 0; --i) {
    if (above < rank) found = {static_cast<std::uint32_t>(4 * first + i), above, counts[i]};
    above += counts[i];
  }
  return block.shuffle(found, segment.lane);
}

}  // namespace tamis::kernels::stream
