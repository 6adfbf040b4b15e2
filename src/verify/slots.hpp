// The mapping of one row, from positions to slots and, where it can be inverted, back. No table entry is read but those
// of the positions asked for, except by `inverse`, which reads the pages of the whole window.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::verifier {

class SlotMap {
 public:
  SlotMap(const Output& output, std::int64_t row);

  // The slot of a position; -1 where the table holds none or an int32 cannot hold it.
  std::int64_t slot(std::int64_t position) const;

  // For each of `count` slots written at `slots`, its position in [0, length), or -1 when it is the slot of none of
  // them. Nothing when several positions of the window may share a slot.
  std::optional<std::vector<std::int64_t>> inverse(std::int64_t length, std::int64_t count) const;

  // Entry i of the row's slots as the output holds it.
  std::int64_t written(std::int64_t entry) const;

 private:
  std::int64_t page(std::int64_t column) const;  // -1 where there is none
  std::int64_t paged(std::int64_t position) const;
  std::optional<std::vector<std::int64_t>> inverse_paged(std::int64_t length, std::int64_t count) const;

  const Output& output_;
  std::int64_t row_;
  std::int64_t shift_ = 0;       // offset[r] or page_start[r]
  std::int64_t table_row_ = -1;  // of a page table; -1: none
};

}  // namespace tamis::verifier
