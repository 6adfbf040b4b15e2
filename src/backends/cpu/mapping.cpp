// Finding the row's table, with every index that a caller's memory supplies checked before it is followed.

#include "backends/cpu/mapping.hpp"

#include <algorithm>
#include <bit>

#include "backends/cpu/faults.hpp"

namespace tamis::detail::cpu {
namespace {

std::int64_t table_row_of(const PageTable& table, std::int64_t row) {
  if (table.table_of_row != nullptr) return table.table_of_row[row];
  if (table.cu_rows == nullptr) return row;
  return std::upper_bound(table.cu_rows, table.cu_rows + table.tables + 1, row) - table.cu_rows - 1;
}

RowMap paged(const PageTable& table, std::int64_t row, Faults& faults) {
  const std::int64_t table_row = table_row_of(table, row);
  if (table_row < 0 || table_row >= table.tables) {
    note(faults.table_row, row);
    return {.route = Route::nowhere};
  }
  // A table without columns may have no entries to point at.
  return {.route = Route::paged,
          .offset = table.page_start != nullptr ? table.page_start[row] : 0,
          .entries = table.columns > 0 ? table.entries + table_row * table.stride : nullptr,
          .columns = table.columns,
          .page_size = Divider(table.page_size)};
}

}  // namespace

Divider::Divider(std::int64_t by)
    : divisor(static_cast<std::uint64_t>(by)),
      reciprocal(std::has_single_bit(divisor) ? 0 : UINT64_MAX / divisor + 1),
      shift(std::countr_zero(divisor)) {}

RowMap map_of_row(const Output& output, std::int64_t row, Faults& faults) {
  if (output.mapping == Mapping::paged) return paged(output.page_table, row, faults);
  return {.offset = output.mapping == Mapping::ragged ? output.offsets[row] : 0};
}

}  // namespace tamis::detail::cpu
