// A case's arrays in host memory. Everything outside the windows, between rows included, is NaN and +inf, as producers
// leave it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/case.hpp"

namespace tamis::testing {

struct Inputs {
  std::vector<std::byte> scores;  // the first score of row 0 is the first byte
  std::int64_t stride = 0;
  std::vector<std::int32_t> lengths, starts;
  std::vector<std::int32_t> entries, table_of_row, cu_rows, page_start;
  std::vector<std::int32_t> offsets;
  PageTable table{};  // numbers only; the pointers are null

  // The same as arguments of select; the mapping only, of the output.
  Rows rows() const;
  Output mapping(const Case& c) const;
};

Inputs inputs_of(const Case& c);

// Writes `number`, exactly representable, as score i.
void put_number(void* scores, ScoreType type, std::int64_t i, float number);

}  // namespace tamis::testing
