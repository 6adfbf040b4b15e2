// From a position to a slot: through the page table, by the ragged offset, or as it is. Whatever leads outside the
// table or the slot's type gives -1 and is counted.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/arguments.hpp"
#include "stages/faults.hpp"
#include "stages/window.hpp"

namespace tamis::stages {

// What a row's slots follow from.
struct SlotMap {
  const std::int32_t* pages;  // the row's part of the page table
  std::int64_t offset;        // added to positions: page_start, or the ragged offset
  bool misplaced = false;     // the row has no place in the table: every slot is -1

  template <class Block>
  TAMIS_DEVICE std::int64_t slot_of(Block block, const kernels::Arguments& arguments, int row, int position) const {
    const Output& output = arguments.output;
    const std::int64_t token = position + offset;
    const std::int64_t slot = output.mapping == Mapping::paged ? paged_slot(block, arguments, row, token) : token;
    if (output.slot_type == SlotType::i64 || slot == static_cast<std::int32_t>(slot)) return slot;
    count_fault(block, arguments, &Faults::slot, row);
    return -1;
  }

 private:
  template <class Block>
  TAMIS_DEVICE std::int64_t paged_slot(Block block, const kernels::Arguments& arguments, int row,
                                       std::int64_t token) const {
    const PageTable& table = arguments.output.page_table;
    if (misplaced) return -1;
    const auto number = static_cast<std::uint32_t>(token);  // a position and a page_start: 32 bits hold it
    const auto size = static_cast<std::uint32_t>(table.page_size);
    const std::uint32_t column = number / size;
    const int page = token < 0 || column >= table.columns ? -1 : block.load(pages + column);
    if (page >= 0) return std::int64_t{page} * size + number % size;
    count_fault(block, arguments, &Faults::page, row);
    return -1;
  }
};

// The last segment t with cu_rows[t] <= row; -1 before the first, `tables` behind the last.
template <class Block>
TAMIS_DEVICE std::int64_t segment_of(Block block, const PageTable& table, int row) {
  std::int64_t low = 0;
  std::int64_t high = table.tables + 1;  // the first entry above `row` lies in [low, high]
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (block.load(table.cu_rows + middle) <= row)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

template <class Block>
TAMIS_DEVICE std::int64_t table_row_of(Block block, const PageTable& table, int row) {
  if (table.cu_rows != nullptr) return segment_of(block, table, row);
  return table.table_of_row != nullptr ? block.load(table.table_of_row + row) : row;
}

template <class Block>
TAMIS_DEVICE SlotMap find_slot_map(Block block, const kernels::Arguments& arguments, Window window) {
  const Output& output = arguments.output;
  if (output.slots == nullptr || window.selected == 0 || output.mapping == Mapping::none) return {nullptr, 0};
  if (output.mapping == Mapping::ragged) return {nullptr, block.load(output.offsets + window.row)};
  const PageTable& table = output.page_table;
  const std::int64_t table_row = table_row_of(block, table, window.row);
  if (table_row < 0 || table_row >= table.tables) return {nullptr, 0, true};
  const int page_start = table.page_start != nullptr ? block.load(table.page_start + window.row) : 0;
  return {table.entries + table_row * table.stride, page_start};
}

}  // namespace tamis::stages
