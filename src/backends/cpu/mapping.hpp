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

enum class Route {
  shifted,  // the slot is the position plus the offset
  paged,    // that, through the row's page numbers
  nowhere,  // no table row covers the row: every slot is -1
};

// Where the positions of one row lead.
struct RowMap {
  Route route = Route::shifted;
  std::int64_t offset = 0;
  const std::int32_t* entries = nullptr;  // the row's page numbers, read below `columns` only
  std::int64_t columns = 0;
  Divider page_size{1};
};

// Of a row that selects something: rows without items have no faults of mapping.
RowMap map_of_row(const Output& output, std::int64_t row, Faults& faults);

}  // namespace tamis::detail::cpu
