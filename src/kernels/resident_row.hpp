// A cluster a row, for rows that fit the shared memory of its blocks but not their registers: each block copies a share
// of the row there in bulk and reads it once from global memory.
#pragma once

#include "kernels/register/journey.hpp"

namespace tamis::kernels {

inline constexpr int resident_scores = 32;  // a thread

// Bytes behind Shared that a block of so many threads takes.
constexpr std::int64_t resident_bytes(int threads) { return std::int64_t{4} * resident_scores * threads; }

// `arrival` scores arrive together, or all of a block's where that is 0. Rows of 65536 on two blocks take 7.8 us by
// 4096 and 9.8 together, rows of 32768 on one 9.4 and 8.9 (64 and 128 rows, H200).
template <int arrival>
struct ResidentRow {
  using Arguments = kernels::Arguments;

  static constexpr int fours = 4;  // groups of four a lane in the sample

  template <class Block>
  using Selection = short_row::Selection<Block, stages::Kept<resident_scores, arrival>, fours>;
  template <class Block>
  using Shared = typename Selection<Block>::Shared;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    if constexpr (Block::lanes == 32 && Block::has_transactions)
      Selection<Block>{block, arguments, simt::shared<Shared<Block>>(block), simt::tail<Shared<Block>, float>(block)}
          .run();
  }
};

}  // namespace tamis::kernels
