// What all methods begin with: the kernels before are waited for, then rows are taken in turn.
#pragma once

#include "kernels/arguments.hpp"
#include "simt/common.hpp"
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

}  // namespace tamis::kernels
