// Score patterns: the inputs that indexers produce and those that have broken selectors. Tests, the benchmark, the
// command line and the Python package draw from this one list.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::workload {

// One kind of scores. `sketch` says in a line what they look like and whom they hurt.
struct Pattern {
  std::string_view name;
  std::string_view sketch;
};

// Every pattern, in a fixed order.
TAMIS_EXPORT const std::vector<Pattern>& patterns();

// Where the generated scores go: host memory, [rows, width], row r at scores + r * stride elements.
struct Target {
  void* scores = nullptr;
  ScoreType type = ScoreType::f32;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;  // in elements, >= width
};

// Fills the target with `pattern`. Equal arguments give equal bits on every machine; row r depends on (pattern, seed,
// r, width) alone, so rows may be generated apart by `first_row`. f16 and bf16 are the f32 scores rounded to nearest.
// Errors: invalid_argument (an unknown pattern: the message lists the known ones).
TAMIS_EXPORT Status generate(std::string_view pattern, std::uint64_t seed, const Target& target,
                             std::int64_t first_row = 0);

}  // namespace tamis::workload
