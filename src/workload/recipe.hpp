// A pattern with the function that makes it.
#pragma once

#include <cstdint>
#include <span>

#include "tamis/workload.hpp"
#include "workload/row.hpp"

namespace tamis::workload {

// Fills `out` with the f32 bits of positions first, first + 1, ... of `row`. Bits, because a move through a
// floating-point register may quiet a NaN.
using Fill = void (*)(const Row& row, std::int64_t first, std::span<std::uint32_t> out);

struct Recipe {
  Pattern pattern;
  Fill fill;
};

// Every pattern, in the order of patterns().
std::span<const Recipe> recipes();

}  // namespace tamis::workload
