// A histogram small enough that one warp searches it: counts by bin, and how many scores its upper bins reach.
#pragma once

#include <cstdint>

#include "simt/common.hpp"

namespace tamis::stages {

// Counts of bins 1 ... bins, and of bin 0 below them, which nobody reads. Places number the bins from the top: place p
// is bin bins - p.
template <int bins>
struct BinCounts {
  static_assert(bins % 128 == 0);
  static constexpr int size = bins;

  // Three words come first, so that bin 1 is aligned to a pack.
  alignas(16) std::uint32_t word[bins + 4];

  TAMIS_DEVICE std::uint32_t& of(int bin) { return word[bin + 3]; }

  template <class Block>
  TAMIS_DEVICE void clear_unsynced(Block block) {
    using Pack = simt::Pack<std::uint32_t, 4>;
    constexpr int count = (bins + 4) / 4;
    auto* packs = reinterpret_cast<Pack*>(word);
    TAMIS_UNROLL
    for (int round = 0; round < (count + Block::size - 1) / Block::size; ++round) {
      const int i = round * Block::size + block.rank();
      if (i < count) packs[i] = Pack{};
    }
  }
};

// For each of a lane's places, lane * places + i, the scores in it and above. Collective (warp).
template <int bins, class Block>
TAMIS_DEVICE void reach_of_places(Block block, const BinCounts<bins>& counts,
                                  std::uint32_t (&reach)[bins / Block::lanes]) {
  constexpr int places = bins / Block::lanes;
  using Pack = simt::Pack<std::uint32_t, 4>;
  const int first = 4 + bins - places * (block.lane() + 1);  // the lane's lowest bin
  TAMIS_UNROLL
  for (int i = 0; i < places; i += 4) {
    const Pack pack = *reinterpret_cast<const Pack*>(&counts.word[first + i]);
    TAMIS_UNROLL
    for (int j = 0; j < 4; ++j) reach[places - 1 - i - j] = pack[j];
  }
  TAMIS_UNROLL
  for (int i = 1; i < places; ++i) reach[i] += reach[i - 1];
  const std::uint32_t before = block.scan_add(reach[places - 1]) - reach[places - 1];
  TAMIS_UNROLL
  for (int i = 0; i < places; ++i) reach[i] += before;
}

// Where the last score to be taken lies: in bin `bin`, with `above` scores above it and `inside` in it; of both, how
// many are held by blocks of lower rank.
struct Cut {
  int bin;
  std::uint32_t above;
  std::uint32_t inside;
  std::uint32_t above_before;
  std::uint32_t inside_before;
};

// The cut at which `needed` scores are reached, by each warp for itself; bin 0 where the bins do not reach them, of
// `total` scores in all.
template <int bins, class Block>
TAMIS_DEVICE Cut find_cut(Block block, const BinCounts<bins>& counts, std::uint32_t needed, std::uint32_t total) {
  constexpr int places = bins / Block::lanes;
  std::uint32_t reach[places];
  reach_of_places(block, counts, reach);
  const auto short_lanes = static_cast<int>(std::popcount(block.ballot(reach[places - 1] < needed)));
  const std::uint32_t all = block.broadcast(reach[places - 1], Block::lanes - 1);
  if (short_lanes == Block::lanes) return {0, all, total - all, 0, 0};
  std::uint32_t above = block.shuffle_up(reach[places - 1], 1);
  if (block.lane() == 0) above = 0;
  std::uint32_t upto = reach[places - 1];
  int place = places * block.lane();
  TAMIS_UNROLL
  for (int i = 0; i < places; ++i) {
    if (reach[i] < needed) above = reach[i], ++place;
  }
  TAMIS_UNROLL
  for (int i = places - 1; i >= 0; --i) {
    if (reach[i] >= needed) upto = reach[i];
  }
  above = block.broadcast(above, short_lanes);
  upto = block.broadcast(upto, short_lanes);
  return {bins - block.broadcast(place, short_lanes), above, upto - above, 0, 0};
}

}  // namespace tamis::stages
