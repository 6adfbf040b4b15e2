// From positions to slots: nothing, a page table, or an offset, made ready for one row.
#pragma once

#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

// Division by a page size that is known at run time only: a shift, or a multiplication by 2^64 / divisor rounded up,
// which is exact for dividends below 2^32.
struct Divider {
  std::uint64_t divisor;
  std::uint64_t reciprocal;  // 0: a power of two
  int shift;

  explicit Divider(std::int64_t by);

  std::int64_t quotient(std::int64_t dividend) const {
    const auto number = static_cast<std::uint64_t>(dividend);
    return static_cast<std::int64_t>(
        reciprocal == 0 ? number >> shift : static_cast<std::uint64_t>((static_cast<Wide>(number) * reciprocal) >> 64));
  }

 private:
  __extension__ using Wide = unsigned __int128;
};

// Where the positions of one row lead.
struct RowMap {
  std::int64_t offset;          // added to a position; paged: before the table
  const std::int32_t* entries;  // the row's page numbers; null: not paged, or no table row
  std::int64_t columns;
  Divider page_size;
  bool unmapped;  // no table row covers the row: every slot is -1
};

// Of a row that selects something: rows without items have no faults of mapping.
RowMap map_of_row(const Output& output, std::int64_t row, Faults& faults);

}  // namespace tamis::detail::cpu
