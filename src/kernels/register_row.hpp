// A cluster a row, for few rows: each block holds a share of the row in registers and reads it once.
#pragma once

#include "kernels/register/journey.hpp"

namespace tamis::kernels {

// `count` scores a thread; `fours` groups of four a lane in the sample.
template <int count, int fours>
struct RegisterRow {
  using Arguments = kernels::Arguments;
  using Held = stages::Held<count>;

  template <class Block>
  using Shared = typename short_row::Selection<Block, Held, fours>::Shared;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    if constexpr (Block::lanes == 32 && Block::size >= short_row::most_undecided)
      short_row::Selection<Block, Held, fours>{block, arguments, simt::shared<Shared<Block>>(block), nullptr}.run();
  }
};

}  // namespace tamis::kernels
