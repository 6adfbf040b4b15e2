// A cluster a row, for rows that fit the shared memory of its blocks but not their registers: each block copies a share
// of the row there in bulk and reads it once from global memory.
#pragma once

#include "kernels/register/journey.hpp"

namespace tamis::kernels {

struct ResidentRow {
  using Arguments = kernels::Arguments;

  static constexpr int count = 32;  // scores a thread
  static constexpr int fours = 4;   // groups of four a lane in the sample

  template <class Block>
  using Selection = short_row::Selection<Block, stages::Kept<count>, fours>;
  template <class Block>
  using Shared = typename Selection<Block>::Shared;

  // Bytes behind Shared that a block of so many threads takes.
  static constexpr std::int64_t tail_bytes(int threads) { return std::int64_t{4} * count * threads; }

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    if constexpr (Block::lanes == 32 && Block::has_transactions)
      Selection<Block>{block, arguments, simt::shared<Shared<Block>>(block), simt::tail<Shared<Block>, float>(block)}
          .run();
  }
};

}  // namespace tamis::kernels
