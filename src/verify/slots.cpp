// Positions to slots and back, for the verifier.

#include "verify/slots.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tamis::verifier {
namespace {

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();

// The segment of cumulative counts that covers the row: the last one that begins at or before it.
std::int64_t segment_of(const PageTable& table, std::int64_t row) {
  const std::int32_t* end = table.cu_rows + table.tables + 1;
  const std::int32_t* after = std::upper_bound(table.cu_rows, end, row);
  return after == end ? -1 : after - table.cu_rows - 1;
}

std::int64_t table_row_of(const PageTable& table, std::int64_t row) {
  std::int64_t t = row;
  if (table.table_of_row != nullptr) t = table.table_of_row[row];
  if (table.cu_rows != nullptr) t = segment_of(table, row);
  return t >= 0 && t < table.tables ? t : -1;
}

}  // namespace

SlotMap::SlotMap(const Output& output, std::int64_t row) : output_(output), row_(row) {
  if (output.slots == nullptr) return;
  if (output.mapping == Mapping::ragged) shift_ = output.offsets[row];
  if (output.mapping != Mapping::paged) return;
  const PageTable& table = output.page_table;
  if (table.page_start != nullptr) shift_ = table.page_start[row];
  table_row_ = table_row_of(table, row);
}

std::int64_t SlotMap::written(std::int64_t entry) const {
  const std::int64_t i = row_ * output_.slots_stride + entry;
  if (output_.slot_type == SlotType::i64) return static_cast<const std::int64_t*>(output_.slots)[i];
  return static_cast<const std::int32_t*>(output_.slots)[i];
}

std::int64_t SlotMap::page(std::int64_t column) const {
  const PageTable& table = output_.page_table;
  if (table_row_ < 0 || column < 0 || column >= table.columns) return -1;
  return std::max<std::int64_t>(table.entries[table_row_ * table.stride + column], -1);
}

std::int64_t SlotMap::paged(std::int64_t position) const {
  const std::int64_t size = output_.page_table.page_size;
  const std::int64_t token = position + shift_;
  const std::int64_t found = token < 0 ? -1 : page(token / size);
  return found < 0 ? -1 : found * size + token % size;
}

std::int64_t SlotMap::slot(std::int64_t position) const {
  const std::int64_t wide = output_.mapping == Mapping::paged ? paged(position) : position + shift_;
  return output_.slot_type == SlotType::i32 && wide > int32_max ? -1 : wide;
}

std::optional<std::vector<std::int64_t>> SlotMap::inverse(std::int64_t length, std::int64_t count) const {
  if (output_.mapping == Mapping::paged) return inverse_paged(length, count);
  if (output_.slot_type == SlotType::i32 && shift_ + length - 1 > int32_max) return std::nullopt;
  std::vector<std::int64_t> positions(count, -1);
  for (std::int64_t i = 0; i < count; ++i) {
    // Compared before subtracted: what was written may be any number.
    const std::int64_t slot = written(i);
    if (slot >= shift_ && slot < shift_ + length) positions[i] = slot - shift_;
  }
  return positions;
}

std::optional<std::vector<std::int64_t>> SlotMap::inverse_paged(std::int64_t length, std::int64_t count) const {
  const std::int64_t size = output_.page_table.page_size;
  if (length == 0) return std::vector<std::int64_t>(count, -1);
  if (shift_ < 0 || table_row_ < 0) return std::nullopt;

  std::vector<std::pair<std::int64_t, std::int64_t>> columns;  // page, column
  for (std::int64_t column = shift_ / size; column <= (shift_ + length - 1) / size; ++column) {
    const std::int64_t found = page(column);
    if (found < 0 || (output_.slot_type == SlotType::i32 && found * size + size - 1 > int32_max)) return std::nullopt;
    columns.emplace_back(found, column);
  }
  std::sort(columns.begin(), columns.end());
  const auto same_page = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::adjacent_find(columns.begin(), columns.end(), same_page) != columns.end()) return std::nullopt;

  std::vector<std::int64_t> positions(count, -1);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t slot = written(i);
    if (slot < 0) continue;
    const auto at = std::lower_bound(columns.begin(), columns.end(), std::pair{slot / size, std::int64_t{-1}});
    if (at == columns.end() || at->first != slot / size) continue;
    const std::int64_t position = at->second * size + slot % size - shift_;
    if (position >= 0 && position < length) positions[i] = position;
  }
  return positions;
}

}  // namespace tamis::verifier
