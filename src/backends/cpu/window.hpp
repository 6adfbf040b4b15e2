// Step 1 of a row's journey: which columns are valid. Whatever lengths and starts hold, the window lies in the row.
#pragma once

#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

struct Window {
  std::int64_t start;
  std::int64_t length;
};

Window find_window(const Shape& shape, const Rows& rows, std::int64_t row, Faults& faults);

}  // namespace tamis::detail::cpu
