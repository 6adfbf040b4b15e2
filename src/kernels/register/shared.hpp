// What the blocks of a cluster that shares a short row keep in shared memory, and what is known of a thread's scores.
#pragma once

#include "kernels/arguments.hpp"
#include "stages/bounds.hpp"
#include "stages/reach.hpp"
#include "stages/tally_bins.hpp"

namespace tamis::kernels::short_row {

inline constexpr int bins = 256;
inline constexpr int sampling_warps = 4;
inline constexpr int most_undecided = 256;  // ranked by comparing all with all; more are counted again
inline constexpr int most_tied = 64;        // of them, where all are known to be equal and in registers

// Items of rank 0 that follow those listed, so that turns of several need no bounds.
inline constexpr int behind_undecided = 32;

// A score whose bin holds more than are taken of it, as the first block ranks it.
struct Undecided {
  std::uint64_t rank;  // key, then the complement of the position
  std::int32_t slot;
  std::int32_t unused;
};

// `scores` a block, which arrive in so many parts.
template <class Block, int scores, int arrivals>
struct Shared {
  stages::BinCounts<bins> counts;
  stages::ReachExchange<Block, bins> reach;
  Undecided undecided[most_undecided + behind_undecided];
  simt::Pack<std::uint32_t, 2> range[Block::cluster_size];  // of the undecided keys, by block
  stages::Bounds bounds[sampling_warps];
  std::uint32_t read_ahead;
  int length;  // of the row: registers have no room for what is seldom asked
  std::uint32_t of_warp[Block::warps];
  std::uint32_t low[Block::warps];
  std::uint32_t high[Block::warps];
  simt::Pack<std::uint32_t, 2> worst[2][Block::warps];  // key and position, of the scores that are not dropped yet
  typename Block::TransactionBarrier ranged;
  typename Block::TransactionBarrier listed;
  typename Block::TransactionBarrier arrived[arrivals];
  std::int32_t pages[scores / UsualCall::least_page];
};

// Marks of a thread's scores, a bit each as Held numbers them.
struct Marks {
  std::uint32_t taken;
  std::uint32_t undecided;
};

// Where the selection stands: what the blocks' counts say, what of it is this thread's, and how many of the undecided
// are taken.
struct Standing {
  stages::Cut cut;
  Marks marks;
  std::uint32_t needed;
  bool equal;  // all scores of the row are: the first are taken, and nothing else here matters
};

TAMIS_DEVICE std::uint32_t key(float score) { return stages::detail::key_of_score(score); }

// The cut over all blocks' counts, at which `needed` scores are reached. `held` is lane i's number of scores in block
// i: the counts of bin 0 are not kept, they are what is missing of it.
template <class Block, class Shared>
TAMIS_DEVICE stages::Cut find_cut(Block block, Shared& shared, std::uint32_t round, std::uint32_t needed,
                                  std::uint32_t held) {
  if constexpr (Block::cluster_size == 1) {
    return stages::find_cut(block, shared.counts, needed, held);
  } else {
    shared.reach.exchange(block, shared.counts, round);
    return shared.reach.cut(block, needed, held);
  }
}

}  // namespace tamis::kernels::short_row
