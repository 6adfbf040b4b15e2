// Level 1: every score is compared with every other. Right for any length, without shared memory or barriers, and
// quadratic: it says what the answer is.
#pragma once

#include "row.hpp"

namespace tamis::levels {

struct Compare {
  using Arguments = levels::Arguments;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    each_row(block, arguments, [&](const Row& row) {
      for (int position = block.rank(); position < row.length; position += Block::size) {
        const int better = count_better(block, row, position);
        if (better < row.selected) row.indices[better] = position;
      }
    });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static int count_better(Block block, const Row& row, int position) {
    const std::uint64_t mine = rank_of(row.key(block, position), position);
    int better = 0;
    for (int other = 0; other < row.length; ++other) better += rank_of(row.key(block, other), other) > mine;
    return better;
  }
};

}  // namespace tamis::levels
