// The end of a row's journey: an item and its rank become entries of every output asked for, positions mapped to slots.
#pragma once

#include <cstdint>

#include "kernels/arguments.hpp"
#include "stages/faults.hpp"
#include "stages/key.hpp"
#include "stages/slot.hpp"
#include "stages/source.hpp"
#include "stages/window.hpp"

namespace tamis::stages {

// Where the row's outputs go.
template <ScoreType type>
struct Target {
  const kernels::Arguments* arguments;
  SlotMap slots;
  int row;

  template <class Block>
  TAMIS_DEVICE void put(Block block, int rank, int position, std::uint32_t bits) const {
    const Output& output = arguments->output;
    if (output.indices != nullptr) output.indices[row * output.indices_stride + rank] = position;
    if (output.slots != nullptr) put_slot(rank, slots.slot_of(block, *arguments, row, position));
    if (output.scores != nullptr) put_score(rank, static_cast<Bits<type>>(bits));
  }

  // Entries [selected, k) hold no item.
  template <class Block>
  TAMIS_DEVICE void pad(Block block, int selected) const {
    const Output& output = arguments->output;
    const auto k = static_cast<int>(arguments->shape.k);
    constexpr Bits<type> minus_infinity = Score<type>::infinity | static_cast<Bits<type>>(sign_bit<type>);
    for (std::int64_t rank = selected + block.rank(); rank < k; rank += Block::size) {
      if (output.indices != nullptr) output.indices[row * output.indices_stride + rank] = -1;
      if (output.slots != nullptr) put_slot(rank, -1);
      if (output.scores != nullptr) put_score(rank, minus_infinity);
    }
    if (output.counts != nullptr && block.rank() == 0) output.counts[row] = selected;
  }

 private:
  TAMIS_DEVICE void put_slot(std::int64_t rank, std::int64_t slot) const {
    const std::int64_t entry = row * arguments->output.slots_stride + rank;
    if (arguments->output.slot_type == SlotType::i64)
      static_cast<std::int64_t*>(arguments->output.slots)[entry] = slot;
    else
      static_cast<std::int32_t*>(arguments->output.slots)[entry] = static_cast<std::int32_t>(slot);
  }

  TAMIS_DEVICE void put_score(std::int64_t rank, Bits<type> score) const {
    static_cast<Bits<type>*>(arguments->output.scores)[row * arguments->output.scores_stride + rank] = score;
  }
};

// Finds the row's place in the page table and writes what no item decides: padding and the count.
template <ScoreType type, class Block>
TAMIS_DEVICE Target<type> open_target(Block block, const kernels::Arguments& arguments, Window window) {
  const Target<type> target{&arguments, find_slot_map(block, arguments, window), window.row};
  target.pad(block, window.selected);
  return target;
}

// A row of which every position is selected, in ascending position: nothing but stores, unless scores are asked for.
template <class Block, ScoreType type>
TAMIS_DEVICE void put_whole_row(Block block, const Bits<type>* scores, const Target<type>& target, Window window) {
  const bool scored = target.arguments->output.scores != nullptr;
  for (unsigned position = block.rank(); position < static_cast<unsigned>(window.length); position += Block::size)
    target.put(block, position, position, scored ? block.load(scores + position) : Bits<type>{});
}

}  // namespace tamis::stages
