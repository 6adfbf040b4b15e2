// Where a kernel keeps what does not fit its registers: the tail of its shared memory and its part of the workspace.
#pragma once

#include <algorithm>

#include "kernels/arguments.hpp"
#include "stages/sort.hpp"

namespace tamis::kernels {

// The tail behind Shared has room for `bytes`.
template <class Shared>
TAMIS_DEVICE bool fits_tail(const Arguments& arguments, std::int64_t bytes) {
  return bytes <= arguments.shared_bytes - static_cast<std::int64_t>(simt::tail_offset<Shared>);
}

// The most positions that a row of `shape` selects.
constexpr std::int64_t most_selected(const Shape& shape) { return std::min(shape.k, shape.width); }

// Bytes in the workspace in which one row's selected items are sorted.
constexpr std::int64_t sort_bytes(const Shape& shape) {
  return (most_selected(shape) * stages::ranked_bytes + 255) / 256 * 256;
}

// The workspace's `index`-th room for sorting; there are as many as the plan's first launch has blocks.
TAMIS_DEVICE stages::Ranked sort_room(const Arguments& arguments, int index) {
  return stages::ranked_at(arguments.workspace + index * sort_bytes(arguments.shape), most_selected(arguments.shape));
}

}  // namespace tamis::kernels
