// From a sample to a bound: a key that somewhat more than the k best scores of the row reach. Nothing but speed depends
// on how well it is placed; what it lets through is counted later, exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/stream/itinerary.hpp"
#include "kernels/stream/search.hpp"

namespace tamis::kernels::stream {

// Bins in which what the stream keeps is counted: so many that the last one to be taken from holds a few scores.
inline constexpr int window_bins = 512;

// What the stream keeps and how that is counted: keys from `low` on, in bins of 2^shift keys. One more bin counts all
// keys beyond: they are surely taken, but for where the sample misled.
struct Bound {
  std::uint32_t low;
  int shift;
  bool plateau;  // the key below `low` is so common that it is left out: its ties are looked for by position

  TAMIS_DEVICE std::uint32_t bin(std::uint32_t key) const {
    const std::uint32_t bin = (key - low) >> shift;
    return bin < window_bins ? bin : window_bins;
  }
};

template <class Block>
struct BoundScratch {
  std::uint32_t low[Block::warps];
  std::uint32_t high[Block::warps];
  Found found[2];                                // of the low and of the high rank
  alignas(16) std::uint32_t count[Block::size];  // zero between rows
};

// The counts zero, as the next row expects them.
template <class Block>
TAMIS_DEVICE void clear_unsynced(Block block, BoundScratch<Block>& scratch) {
  scratch.count[block.rank()] = 0;
}

struct Range {
  std::uint32_t low;
  std::uint32_t high;
};

// The least of as many of the warps' values as are needed, the greatest ones taken: `needed` warps hold no less.
template <class Block>
TAMIS_DEVICE std::uint32_t least_of_greatest(Block block, const std::uint32_t (&values)[Block::warps], int needed) {
  const int warp = block.lane() % Block::warps;
  const std::uint32_t mine = values[warp];
  int better = 0;
  TAMIS_UNROLL
  for (int other = 0; other < Block::warps; ++other)
    better += values[other] > mine || (values[other] == mine && other < warp);
  return block.shuffle(mine, simt::lowest_bit(block.ballot(better == needed - 1)));
}

// A range of keys that holds the `rank` best of the sample and little more: from a key that as many group maxima reach
// to the greatest. A group is a thread or several lanes, and a warp stands for the least of its groups.
template <class Block, int items>
TAMIS_DEVICE Range range_of(Block block, BoundScratch<Block>& scratch, const std::uint32_t (&keys)[items],
                            std::uint32_t rank) {
  std::uint32_t best = keys[0];
  TAMIS_UNROLL
  for (int i = 1; i < items; ++i) best = std::max(best, keys[i]);
  std::uint32_t group = 1;
  for (; group < Block::lanes && rank * group * 2 <= Block::size; group *= 2)
    best = std::max(best, block.shuffle_xor(best, static_cast<int>(group)));
  const std::uint32_t low = block.reduce_min(best);
  const std::uint32_t high = block.reduce_max(best);
  if (block.lane() == 0) {
    scratch.low[block.warp()] = low;
    scratch.high[block.warp()] = high;
  }
  block.sync();
  const std::uint32_t greatest = block.reduce_max(scratch.high[block.lane() % Block::warps]);
  if (rank > Block::size) return {0, greatest};
  const int needed = static_cast<int>((rank * group + Block::lanes - 1) / Block::lanes);
  return {least_of_greatest(block, scratch.low, needed), greatest};
}

// Counts the keys of a range in as many bins as there are threads, and finds those of two ranks.
template <class Block, int items>
TAMIS_DEVICE void count_and_find(Block block, BoundScratch<Block>& scratch, const std::uint32_t (&keys)[items],
                                 Range range, int shift, Ranks ranks) {
  const std::uint32_t width = range.high - range.low;
  TAMIS_UNROLL
  for (int i = 0; i < items; ++i) {
    const std::uint32_t offset = keys[i] - range.low;
    if (offset <= width) block.fetch_add(scratch.count[offset >> shift], 1u);
  }
  block.sync();
  if (block.warp() < 2) {
    const auto* packs = reinterpret_cast<const simt::Pack<std::uint32_t, 4>*>(scratch.count);
    const std::uint32_t rank = block.warp() == 0 ? ranks.low : ranks.high;
    const Found found = find_rank<Block::size>(block, rank, 0, [&](int pack) { return packs[pack]; });
    if (block.lane() == 0) scratch.found[block.warp()] = found;
  }
  block.sync();
}

// Narrows the sample's range to the bin of the low rank, level by level. The high rank places the window's top: the
// first level that tells the two ranks apart does.
template <class Block, int items>
TAMIS_DEVICE Bound bound_in(Block block, BoundScratch<Block>& scratch, const std::uint32_t (&keys)[items], Range range,
                            Ranks ranks) {
  constexpr int digits = std::bit_width(static_cast<unsigned>(Block::size)) - 1;
  constexpr std::uint32_t common = Block::size / 8;
  const std::uint32_t enough = std::max(8u, ranks.low / 8);
  std::uint32_t top = 0;
  for (;;) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(range.high - range.low)) - digits);
    count_and_find(block, scratch, keys, range, shift, ranks);
    const Found found = scratch.found[0];
    const std::uint32_t top_bin = scratch.found[1].bin;
    if (top == 0 && top_bin != found.bin) top = range.low + ((top_bin + 1) << shift) - 1;
    ranks = {ranks.low - found.above, top == 0 ? ranks.high - found.above : 1};
    range.low += found.bin << shift;
    range.high = std::min(range.high, range.low + ((1u << shift) - 1));
    if (found.inside > enough && shift > 0) {
      clear_unsynced(block, scratch);
      block.sync();
      continue;
    }
    const bool plateau = shift == 0 && found.inside >= common;
    const std::uint32_t low = range.low + (plateau ? 1 : 0);
    top = std::max(top == 0 ? range.high : top, low);
    const int excess =
        static_cast<int>(std::bit_width(top - low)) - (std::bit_width(static_cast<unsigned>(window_bins)) - 1);
    return {low, std::max(0, excess), plateau};
  }
}

}  // namespace tamis::kernels::stream
