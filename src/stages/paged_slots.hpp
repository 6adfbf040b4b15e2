// The usual output on a fast path: 32-bit slots alone, mapped through pages whose size is a power of two. A block keeps
// its share of the page table in shared memory, so that a slot costs a shift and an addition.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/arguments.hpp"
#include "stages/slot.hpp"

namespace tamis::stages {

// The least page that the fast path takes: four scores side by side never straddle two pages, and a share's pages fit.
inline constexpr int least_page = kernels::UsualCall::least_page;

struct PagedSlots {
  std::int32_t* slots;  // of the row; null: the general path
  const std::int32_t* pages;
  int shift;

  template <class Block>
  TAMIS_DEVICE static PagedSlots of(Block block, const kernels::Arguments& arguments, int row) {
    const Output& output = arguments.output;
    const PageTable& table = output.page_table;
    const auto size = static_cast<unsigned>(table.page_size);
    const bool taken = output.slots != nullptr && output.indices == nullptr && output.scores == nullptr &&
                       output.slot_type == SlotType::i32 && output.mapping == Mapping::paged &&
                       table.page_start == nullptr && size >= least_page && std::has_single_bit(size);
    const std::int64_t table_row = taken ? table_row_of(block, table, row) : -1;
    if (table_row < 0 || table_row >= table.tables) return {nullptr, nullptr, 0};
    return {static_cast<std::int32_t*>(output.slots) + row * output.slots_stride,
            table.entries + table_row * table.stride, simt::lowest_bit(size)};
  }

  // The page of column `column`, or -1 where the general path is to judge it.
  template <class Block>
  TAMIS_DEVICE std::int32_t page(Block block, int column, std::int64_t columns) const {
    if (column >= columns) return -1;
    const std::int32_t page = block.load(pages + column);
    return page <= std::numeric_limits<std::int32_t>::max() >> shift ? page : -1;
  }

  TAMIS_DEVICE std::int32_t slot(std::int32_t page, int position) const {
    return (page << shift) + (position & ((1 << shift) - 1));
  }
};

}  // namespace tamis::stages
