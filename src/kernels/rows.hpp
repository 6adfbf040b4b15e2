// What all methods begin with: the kernels before are waited for, rows are taken in turn, and of each what no score
// decides is written.
#pragma once

#include "kernels/arguments.hpp"
#include "simt/common.hpp"
#include "stages/row.hpp"
#include "stages/target.hpp"
#include "stages/window.hpp"

namespace tamis::kernels {

// Calls select(row) for the rows first, first + step ... Nothing a kernel before may have written is read earlier.
template <class Block, class Select>
TAMIS_DEVICE void for_each_row(Block block, const Arguments& arguments, int first, int step, Select select) {
  block.allow_next_kernel();
  block.wait_for_previous_kernel();
  for (std::int64_t row = first; row < arguments.shape.rows; row += step) select(static_cast<int>(row));
}

// All of the row's positions are selected and none of its scores decides where.
TAMIS_DEVICE bool stores_only(const Arguments& arguments, stages::Window window) {
  return window.whole() && arguments.shape.order != Order::by_score;
}

// A block a row: writes padding, counts and the rows that are stores only, and calls select(window, target, scores) for
// the others, those whose scores decide.
template <ScoreType type, class Block, class Select>
TAMIS_DEVICE void select_rows(Block block, const Arguments& arguments, Select select) {
  for_each_row(block, arguments, block.grid_rank(), block.grid_size(), [&](int row) {
    const stages::Window window = stages::find_window(block, arguments, row);
    const auto target = stages::target_of<type>(block, arguments, window);
    const auto scores = stages::row_of<type>(arguments, window);
    target.put_rest(block, window);
    if (stores_only(arguments, window))
      stages::put_whole_row(block, scores.window, target, window);
    else
      select(window, target, scores);
  });
}

}  // namespace tamis::kernels
