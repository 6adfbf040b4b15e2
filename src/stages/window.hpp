// The first step of a row's journey: which columns of the row are its window, and how many positions are selected.
// Lengths and starts are clamped here, in 64 bits, and what was clamped is counted; every later stage trusts them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/arguments.hpp"
#include "stages/faults.hpp"

namespace tamis::stages {

struct Window {
  int row;
  int start;     // the first column
  int length;    // positions; 0: nothing is selected
  int selected;  // n = min(k, length)

  // Every position is selected, and in ascending position unless the scores' order is asked for.
  TAMIS_DEVICE bool whole() const { return selected == length; }
};

// floor((L - next_n + row % next_n + 1) / divisor), nothing where that is negative.
TAMIS_DEVICE std::int64_t ruled_length(LengthRule rule, std::int64_t entry, int row) {
  const std::int64_t seen = entry - rule.next_n + row % rule.next_n + 1;
  return seen <= 0 ? 0 : seen / rule.divisor;
}

template <class Block>
TAMIS_DEVICE Window find_window(Block block, const kernels::Arguments& arguments, int row) {
  const auto& [scores, stride, lengths, starts] = arguments.rows;
  const auto width = static_cast<int>(arguments.shape.width);
  const LengthRule rule = arguments.shape.length_rule;
  int start = starts != nullptr ? block.load(starts + row) : 0;
  std::int64_t length = lengths != nullptr ? block.load(lengths + row / rule.next_n) : width;
  length = ruled_length(rule, length, row);
  if (start < 0 || start > width) {
    if (block.rank() == 0) count_fault(block, arguments, &Faults::start, row);
    return {row, 0, 0, 0};
  }
  if (length > width - start) {
    if (block.rank() == 0) count_fault(block, arguments, &Faults::length, row);
    length = width - start;
  }
  const auto clamped = static_cast<int>(length);
  return {row, start, clamped, static_cast<int>(std::min(arguments.shape.k, length))};
}

}  // namespace tamis::stages
