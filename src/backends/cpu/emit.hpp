// Last step of a row's journey: writing what was selected, mapped and padded, to every output that is there.
#pragma once

#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

// The selected items of a row in the order in which they are to be written.
struct Selection {
  std::int64_t count;
  const std::int32_t* positions;  // null: 0, 1, ... count - 1
  const void* scores;             // the score of item i is scores[places[i]]
  const std::int32_t* places;     // null: 0, 1, ... count - 1
};

void emit(const Selection& selection, const Shape& shape, std::int64_t row, const Output& output, Faults& faults);

}  // namespace tamis::detail::cpu
