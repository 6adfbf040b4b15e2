// The length rule and the clamps, in 64 bits so that no length a caller may hold overflows.

#include "backends/cpu/window.hpp"

#include "backends/cpu/faults.hpp"

namespace tamis::detail::cpu {
namespace {

std::int64_t ruled_length(const Shape& shape, const Rows& rows, std::int64_t row) {
  const std::int64_t next_n = shape.length_rule.next_n;
  const std::int64_t of_request = rows.lengths != nullptr ? rows.lengths[row / next_n] : shape.width;
  const std::int64_t seen = of_request - next_n + row % next_n + 1;
  return seen <= 0 ? 0 : seen / shape.length_rule.divisor;
}

}  // namespace

Window find_window(const Shape& shape, const Rows& rows, std::int64_t row, Faults& faults) {
  const std::int64_t start = rows.starts != nullptr ? rows.starts[row] : 0;
  if (start < 0 || start > shape.width) {
    note(faults.start, row);
    return {0, 0};
  }
  const std::int64_t length = ruled_length(shape, rows, row);
  const std::int64_t room = shape.width - start;
  if (length > room) note(faults.length, row);
  return {start, std::min(length, room)};
}

}  // namespace tamis::detail::cpu
