// A selected position becomes entries of the output, in two halves so that many page loads are under way at once. Page
// tables whose page size is a power of two take a shift and a compare; everything else, faults included, goes the
// general way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "stages/target.hpp"

namespace tamis::kernels::stream {

template <ScoreType type, class Block>
TAMIS_DEVICE_OUTLINED void put_generally(Block block, stages::Target<type> target, int rank, int position,
                                         std::uint32_t bits) {
  target.put(block, rank, position, bits);
}

// The position and the score of an entry whose slot is put.
template <ScoreType type>
TAMIS_DEVICE_OUTLINED void put_beside(stages::Target<type> target, int rank, int position, std::uint32_t bits) {
  const Output& output = target.arguments->output;
  const std::int64_t row = target.row;
  if (output.indices != nullptr) output.indices[row * output.indices_stride + rank] = position;
  if (output.scores != nullptr) {
    static_cast<stages::Bits<type>*>(output.scores)[row * output.scores_stride + rank] =
        static_cast<stages::Bits<type>>(bits);
  }
}

template <ScoreType type>
class Putter {
 public:
  // For positions below `length`.
  TAMIS_DEVICE Putter(const Arguments& arguments, const stages::Target<type>& target, int length) : target_(target) {
    const Output& output = arguments.output;
    const auto page_size = static_cast<unsigned>(output.page_table.page_size);
    const bool quick = output.slots != nullptr && output.slot_type == SlotType::i32 &&
                       output.mapping == Mapping::paged && target.slots.pages != nullptr && target.slots.offset == 0 &&
                       std::has_single_bit(page_size);
    shift_ = quick ? simt::lowest_bit(page_size) : 0;
    quick_ = quick && (length - 1) >> shift_ < output.page_table.columns;
    slots_ = static_cast<std::int32_t*>(output.slots) + target.row * output.slots_stride;
    alone_ = output.indices == nullptr && output.scores == nullptr;
  }

  // The page of a position, or -1 where it is to be put the general way.
  template <class Block>
  TAMIS_DEVICE std::int32_t page_of(Block block, int position) const {
    return quick_ ? block.load(target_.slots.pages + (position >> shift_)) : -1;
  }

  template <class Block>
  TAMIS_DEVICE void put(Block block, std::int32_t page, int rank, int position, std::uint32_t bits) const {
    if (static_cast<std::uint32_t>(page) > static_cast<std::uint32_t>(INT32_MAX) >> shift_)
      return put_generally(block, target_, rank, position, bits);
    slots_[rank] = page << shift_ | (position & ((1 << shift_) - 1));
    if (!alone_) put_beside<type>(target_, rank, position, bits);
  }

 private:
  const stages::Target<type>& target_;
  std::int32_t* slots_;  // of the row
  int shift_;
  bool quick_;
  bool alone_;  // slots are all that is asked for
};

}  // namespace tamis::kernels::stream
