// How many scores a block's bins reach, told to every block of the cluster in one trip: each then finds the cut over
// all blocks for itself, and how much of it lies before its own.
#pragma once

#include <cstdint>

#include "stages/tally_bins.hpp"

namespace tamis::stages {

template <class Block, int bins>
struct ReachExchange {
  static constexpr int blocks = Block::cluster_size;
  using Pack = simt::Pack<std::uint16_t, 8>;  // of eight places

  Pack reach[blocks][bins / 8 + 1];  // by block; one more, so that a place of all blocks lies in different banks
  std::uint32_t missing[bins / 32];  // places of a warp that do not reach what is needed
  typename Block::TransactionBarrier counted;

  // By one thread, before others may send.
  TAMIS_DEVICE void init() {
    counted.init(1);
    expect();
  }

  // Sends this block's counts, all of them in, and waits for those of the others; the `round`-th time, from 0 on. The
  // barrier is told of the next round before this block sends anything that lets others begin it.
  TAMIS_DEVICE void exchange(Block block, const BinCounts<bins>& counts, std::uint32_t round) {
    send(block, counts);
    counted.wait(round & 1);
    if (block.rank() == 0) expect();
  }

  // The cut at which `needed` scores are reached. A thread a place sums over the blocks; the places that do not reach
  // what is needed come first. `held` is lane i's number of scores in block i. Leaves the block synchronised.
  TAMIS_DEVICE Cut cut(Block block, std::uint32_t needed, std::uint32_t held) {
    const int place = places_missing(block, needed);
    const int lane = block.lane();
    const bool counts = lane < blocks;
    const bool before = lane < block.cluster_rank();
    const std::uint32_t above = counts && place > 0 ? of(lane, place - 1) : 0;
    const std::uint32_t upto = counts && place < bins ? of(lane, place) : counts ? held : 0;
    Cut cut{bins - place, block.reduce_add(above), block.reduce_add(upto), 0, 0};
    cut.above_before = block.reduce_add(before ? above : 0u);
    cut.inside_before = block.reduce_add(before ? upto : 0u) - cut.above_before;
    cut.inside -= cut.above;
    return cut;
  }

 private:
  TAMIS_DEVICE void expect() { counted.expect(sizeof(Pack) * (bins / 8) * blocks); }

  TAMIS_DEVICE void send(Block block, const BinCounts<bins>& counts) {
    if (block.warp() >= blocks) return;
    std::uint32_t own[bins / Block::lanes];
    reach_of_places(block, counts, own);
    Pack pack;
    TAMIS_UNROLL
    for (int i = 0; i < Pack::size; ++i) pack[i] = static_cast<std::uint16_t>(own[i]);
    TAMIS_UNROLL
    for (int round = 0; round < (blocks + Block::warps - 1) / Block::warps; ++round) {
      const int to = round * Block::warps + block.warp();
      if (to < blocks) block.send(block.remote(reach[block.cluster_rank()][block.lane()], to), pack, counted, to);
    }
  }

  TAMIS_DEVICE std::uint32_t of(int of_block, int place) const {
    return reach[of_block][place / Pack::size][place % Pack::size];
  }

  TAMIS_DEVICE int places_missing(Block block, std::uint32_t needed) {
    if (block.rank() < bins) {
      std::uint32_t sum = 0;
      TAMIS_UNROLL
      for (int i = 0; i < blocks; ++i) sum += of(i, block.rank());
      const auto votes = static_cast<std::uint32_t>(std::popcount(block.ballot(sum < needed)));
      if (block.lane() == 0) missing[block.warp()] = votes;
    }
    block.sync();
    int places = 0;
    TAMIS_UNROLL
    for (int i = 0; i < bins / 32; ++i) places += static_cast<int>(missing[i]);
    return places;
  }
};

}  // namespace tamis::stages
