// The first step of a row's journey: which columns of the row are its window, and how many positions are selected.
// Lengths and starts are clamped here, and what was clamped is counted; every later stage trusts them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/arguments.hpp"
#include "stages/faults.hpp"

namespace tamis::stages {

struct Window {
  int row;
  int start;       // the first column
  int length;      // positions; 0: nothing is selected
  int selected;    // n = min(k, length)
  bool clamped;    // the length left the width
  bool misplaced;  // the start lay outside the width: an empty row

  // Every position is selected, and in ascending position unless the scores' order is asked for.
  TAMIS_DEVICE bool whole() const { return selected == length; }
};

// floor((L - next_n + row % next_n + 1) / divisor), nothing where that is negative. It is no more than the entry, and
// from an entry above 0 the subtraction cannot leave 32 bits.
TAMIS_DEVICE int ruled_length(LengthRule rule, int entry, int row) {
  if (entry <= 0 || rule == LengthRule{}) return std::max(entry, 0);
  const int seen = entry - rule.next_n + row % rule.next_n + 1;
  return seen <= 0 ? 0 : seen / rule.divisor;
}

template <class Block>
TAMIS_DEVICE Window find_window(Block block, const kernels::Arguments& arguments, int row) {
  const Rows& rows = arguments.rows;
  const auto width = static_cast<int>(arguments.shape.width);
  const LengthRule rule = arguments.shape.length_rule;
  const int start = rows.starts != nullptr ? block.load(rows.starts + row) : 0;
  if (start < 0 || start > width) return {row, 0, 0, 0, false, true};
  const int entry =
      rows.lengths != nullptr ? block.load(rows.lengths + (rule.next_n == 1 ? row : row / rule.next_n)) : width;
  const int length = ruled_length(rule, entry, row);
  const int inside = std::min(length, width - start);
  return {row,  start, inside, static_cast<int>(std::min<std::int64_t>(arguments.shape.k, inside)), length > inside,
          false};
}

// Counts what was clamped; by one block of those that share the row.
template <class Block>
TAMIS_DEVICE void count_faults(Block block, const kernels::Arguments& arguments, Window window) {
  if (block.rank() != 0) return;
  if (window.misplaced) count_fault(block, arguments, &Faults::start, window.row);
  if (window.clamped) count_fault(block, arguments, &Faults::length, window.row);
}

}  // namespace tamis::stages
