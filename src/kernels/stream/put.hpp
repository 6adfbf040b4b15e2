// A selected position becomes entries of the output. The usual rows, with slots through pages whose size is a power of
// two or with none, take a shift and a compare, in two halves so that many page loads are under way at once.
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
    quick_ = output_.slots == nullptr || (paged && row.pages != nullptr && row.offset == 0 &&
                                          (row.window.length - 1) >> shift_ < output_.page_table.columns);
    pages_ = row.pages;
    row_ = row.window.row;
    slots_ = static_cast<std::int32_t*>(output_.slots) + row_ * output_.slots_stride;
  }

  // The row is a usual one; what follows is for such rows alone.
  TAMIS_DEVICE bool quick() const { return quick_; }

  template <class Block>
  TAMIS_DEVICE std::int32_t page_of(Block block, int position) const {
    return output_.slots != nullptr ? block.load(pages_ + (position >> shift_)) : 0;
  }

  // Brings the pages of the row into the nearest cache, by one warp: a long time before the first is needed.
  template <class Block>
  TAMIS_DEVICE void touch_pages(Block block, int length) const {
    constexpr int line = 32;          // pages
    constexpr int most = 128 * line;  // of a row, so that those of a unit's other blocks have room too
    const int pages = ((length - 1) >> shift_) + 1;
    if (!quick_ || output_.slots == nullptr || pages > most) return;
    TAMIS_ROLL
    for (int page = block.lane() * line; page < pages; page += Block::lanes * line) block.load(pages_ + page);
  }

  // Pages, as unsigned numbers, that are greater than this are bad: no slot follows. The fallback counts what is wrong.
  TAMIS_DEVICE std::uint32_t greatest_page() const { return static_cast<std::uint32_t>(INT32_MAX) >> shift_; }

  TAMIS_DEVICE bool has_slots() const { return output_.slots != nullptr; }
  TAMIS_DEVICE void put_slot(std::int32_t page, int rank, int position) const {
    slots_[rank] = page << shift_ | (position & ((1 << shift_) - 1));
  }

  // Something is asked for beside slots.
  TAMIS_DEVICE bool more() const { return output_.indices != nullptr || output_.scores != nullptr; }
  TAMIS_DEVICE void put_more(int rank, int position, std::uint32_t bits) const {
    const std::int64_t row = row_;
    if (output_.indices != nullptr) output_.indices[row * output_.indices_stride + rank] = position;
    if (output_.scores != nullptr)
      static_cast<stages::Bits<type>*>(output_.scores)[row * output_.scores_stride + rank] =
          static_cast<stages::Bits<type>>(bits);
  }

  TAMIS_DEVICE void put(std::int32_t page, int rank, int position, std::uint32_t bits) const {
    if (has_slots()) put_slot(page, rank, position);
    if (more()) put_more(rank, position, bits);
  }

 private:
  const Output& output_;
  const std::int32_t* pages_;  // of the row
  std::int32_t* slots_;
  int row_;
  int shift_;
  bool quick_;
};

}  // namespace tamis::kernels::stream
