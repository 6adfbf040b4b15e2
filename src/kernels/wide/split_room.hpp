// What the blocks that share a row leave each other in the workspace: rooms for picks first, where they do not fit on
// chip, then a state a row, then a list of candidates a row.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/wide/picks.hpp"
#include "stages/candidates.hpp"

namespace tamis::kernels::wide {

// Parts of a row; with more, what they list is little beside what it costs to begin.
inline constexpr int most_split_parts = 256;

struct SplitState {
  std::uint32_t bound;    // written by the first launch, read by the second
  std::uint32_t reached;  // scores of the parts done that reach the bound
  std::uint32_t arrived;  // parts done
  std::uint32_t unused;
};

// Entries of a row's list, on chip and in the workspace, an even number: a good guess lets through less.
constexpr std::uint32_t split_capacity(const Shape& shape) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(2048, (3 * most_selected(shape) + 1) / 2 * 2));
}

constexpr std::int64_t split_picks_bytes(const Shape& shape) {
  return picks_on_chip(shape) ? 0 : shape.rows * room_bytes(shape);
}
constexpr std::int64_t split_states_bytes(const Shape& shape) {
  return (shape.rows * static_cast<std::int64_t>(sizeof(SplitState)) + 255) / 256 * 256;
}
constexpr std::int64_t split_bytes(const Shape& shape) {
  return split_picks_bytes(shape) + split_states_bytes(shape) +
         shape.rows * split_capacity(shape) * static_cast<std::int64_t>(sizeof(stages::Candidate));
}

TAMIS_DEVICE std::byte* split_picks(const Arguments& arguments, int row) {
  return arguments.workspace + (picks_on_chip(arguments.shape) ? 0 : row * room_bytes(arguments.shape));
}

TAMIS_DEVICE SplitState* split_state(const Arguments& arguments, int row) {
  return reinterpret_cast<SplitState*>(arguments.workspace + split_picks_bytes(arguments.shape)) + row;
}

TAMIS_DEVICE stages::Candidate* split_list(const Arguments& arguments, int row) {
  std::byte* lists = arguments.workspace + split_picks_bytes(arguments.shape) + split_states_bytes(arguments.shape);
  return reinterpret_cast<stages::Candidate*>(lists) + std::int64_t{row} * split_capacity(arguments.shape);
}

}  // namespace tamis::kernels::wide
