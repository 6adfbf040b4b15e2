// Which bin of a histogram holds the item of a rank, counted from the greatest bin down. Every warp sums its segment of
// the bins; after a barrier one warp finds the bin. An instruction that all warps execute costs the block as many
// times more, so that one warp's search and a second barrier are cheaper than every warp's own.
#pragma once

#include <cstdint>

#include "simt/common.hpp"

namespace tamis::kernels::stream {

struct Found {
  std::uint32_t bin;
  std::uint32_t above;   // items in greater bins
  std::uint32_t inside;  // items in the bin
};

template <class Block>
struct SegmentSums {
  std::uint32_t warp[Block::warps];
};

template <class Pack>
TAMIS_DEVICE std::uint32_t sum_of(const Pack& counts) {
  std::uint32_t sum = 0;
  TAMIS_UNROLL
  for (int i = 0; i < Pack::size; ++i) sum += counts[i];
  return sum;
}

// Sums this warp's segment: a pack of bins a thread, read by load(rank). A sync() later the sums may be searched.
template <class Block, class Load>
TAMIS_DEVICE void sum_segments_unsynced(Block block, SegmentSums<Block>& sums, Load load) {
  const std::uint32_t sum = block.reduce_add(sum_of(load(block.rank())));
  if (block.lane() == 0) sums.warp[block.warp()] = sum;
}

// The lowest lane at which the sum over the lanes reaches `rank`, and the sum before it.
struct Crossing {
  int lane;
  std::uint32_t before;
};
template <class Block>
TAMIS_DEVICE Crossing cross(Block block, std::uint32_t value, std::uint32_t rank) {
  const std::uint32_t through = block.scan_add(value);
  const int lane = simt::lowest_bit(block.ballot(through >= rank));
  return {lane, block.shuffle(through - value, lane)};
}

// By one warp: the bin of the item of `rank` (1: the greatest), which is at most the number of items.
template <class Block, class Load>
TAMIS_DEVICE Found find_rank(Block block, const SegmentSums<Block>& sums, std::uint32_t rank, Load load) {
  const int from_top = Block::warps - 1 - block.lane();
  const Crossing segment = cross(block, from_top >= 0 ? sums.warp[from_top] : 0u, rank);
  const int top_pack = (Block::warps - segment.lane) * Block::lanes - 1;
  const auto counts = load(top_pack - block.lane());
  const Crossing pack = cross(block, sum_of(counts), rank - segment.before);
  Found found{0, segment.before + pack.before, 0};
  TAMIS_UNROLL
  for (int i = counts.size - 1; i >= 0; --i) {
    if (found.above + found.inside >= rank) continue;
    found = {static_cast<std::uint32_t>(i), found.above + found.inside, counts[i]};
  }
  found.bin += static_cast<std::uint32_t>(top_pack - block.lane()) * counts.size;
  return block.shuffle(found, pack.lane);
}

}  // namespace tamis::kernels::stream
