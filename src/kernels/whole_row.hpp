// For widths up to k: every position of every row is selected, so there is nothing to read but lengths and, where they
// are asked for, the scores.
#pragma once

#include "kernels/rows.hpp"
#include "stages/row.hpp"
#include "stages/target.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct WholeRow {
  using Arguments = kernels::Arguments;

  struct Shared {};

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    for_each_row(block, arguments, block.grid_rank(), block.grid_size(), [&](int row) {
      const stages::Window window = stages::find_window(block, arguments, row);
      const auto target = stages::target_of<type>(block, arguments, window);
      target.put_rest(block, window);
      stages::put_whole_row(block, stages::row_of<type>(arguments, window).window, target, window);
    });
  }
};

}  // namespace tamis::kernels
