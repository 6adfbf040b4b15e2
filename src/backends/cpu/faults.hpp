// Counting what was clamped. Each worker counts in a record of its own; records are added up at the end.
#pragma once

#include <algorithm>

#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

inline void note(Fault& fault, std::int64_t row, std::int64_t count = 1) {
  if (count == 0) return;
  fault.count += count;
  fault.first_row = std::min(fault.first_row, row);
}

inline void add(Faults& total, const Faults& part) {
  note(total.length, part.length.first_row, part.length.count);
  note(total.start, part.start.first_row, part.start.count);
  note(total.table_row, part.table_row.first_row, part.table_row.count);
  note(total.page, part.page.first_row, part.page.count);
  note(total.slot, part.slot.first_row, part.slot.count);
}

}  // namespace tamis::detail::cpu
