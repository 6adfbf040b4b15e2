// A selected position becomes entries of the output. The usual rows, slots through pages whose size is a power of two,
// take a shift and a compare, in two halves so that many page loads are under way at once, and call nothing, so that
// nothing has to leave registers. All other rows are put by the stage that knows everything.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/stream/itinerary.hpp"
#include "stages/target.hpp"

namespace tamis::kernels::stream {

template <ScoreType type>
class Putter {
 public:
  TAMIS_DEVICE Putter(const Arguments& arguments, const Itinerary<type>& row) : output_(arguments.output) {
    const auto page_size = static_cast<unsigned>(output_.page_table.page_size);
    const bool paged = output_.slots != nullptr && output_.slot_type == SlotType::i32 &&
                       output_.mapping == Mapping::paged && std::has_single_bit(page_size);
    shift_ = paged ? simt::lowest_bit(page_size) : 0;
    quick_ = paged && row.pages != nullptr && row.offset == 0 &&
             (row.window.length - 1) >> shift_ < output_.page_table.columns;
    pages_ = row.pages;
    row_ = row.window.row;
    slots_ = static_cast<std::int32_t*>(output_.slots) + row_ * output_.slots_stride;
  }

  // The row is a usual one; what follows is for such rows alone.
  TAMIS_DEVICE bool quick() const { return quick_; }

  template <class Block>
  TAMIS_DEVICE std::int32_t page_of(Block block, int position) const {
    return block.load(pages_ + (position >> shift_));
  }

  // No slot follows from the page: -1 is put, and is to be counted.
  TAMIS_DEVICE bool bad(std::int32_t page) const {
    return static_cast<std::uint32_t>(page) > static_cast<std::uint32_t>(INT32_MAX) >> shift_;
  }

  TAMIS_DEVICE void put_slot(std::int32_t page, int rank, int position) const {
    slots_[rank] = bad(page) ? -1 : page << shift_ | (position & ((1 << shift_) - 1));
  }

  // Something is asked for beside slots.
  TAMIS_DEVICE bool more() const { return output_.indices != nullptr || output_.scores != nullptr; }
  TAMIS_DEVICE void put_more(int rank, int position, std::uint32_t bits) const {
    const std::int64_t row = row_;
    if (output_.indices != nullptr) output_.indices[row * output_.indices_stride + rank] = position;
    if (output_.scores != nullptr) {
      static_cast<stages::Bits<type>*>(output_.scores)[row * output_.scores_stride + rank] =
          static_cast<stages::Bits<type>>(bits);
    }
  }

 private:
  const Output& output_;
  const std::int32_t* pages_;  // of the row
  std::int32_t* slots_;
  int row_;
  int shift_;
  bool quick_;
};

// Counts the fault of a position whose page is bad.
template <ScoreType type, class Block>
TAMIS_DEVICE void count_bad(Block block, const Arguments& arguments, const Itinerary<type>& row, int position) {
  row.target(arguments).slots.slot_of(block, arguments, row.window.row, position);
}

// Puts an item of any row.
template <ScoreType type, class Block>
TAMIS_DEVICE void put_item(Block block, const Arguments& arguments, const Itinerary<type>& row, int rank, int position,
                           std::uint32_t bits) {
  row.target(arguments).put(block, rank, position, bits);
}

}  // namespace tamis::kernels::stream
