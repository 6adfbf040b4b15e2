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

  // Writes what no item decides, padding and the count, and counts the row's faults; by one block of those that share
  // the row.
  template <class Block>
  TAMIS_DEVICE void put_rest(Block block, Window window) const {
    const Output& output = arguments->output;
    pad(block, window.selected);
    if (output.counts != nullptr && block.rank() == 0) output.counts[row] = window.selected;
    count_faults(block, *arguments, window);
    if (slots.misplaced && block.rank() == 0) count_fault(block, *arguments, &Faults::table_row, row);
  }

 private:
  template <class Block>
  TAMIS_DEVICE void pad(Block block, int selected) const {
    const Output& output = arguments->output;
    constexpr Bits<type> minus_infinity = Score<type>::infinity | static_cast<Bits<type>>(sign_bit<type>);
    // Seldom more than a few turns: unrolled it would be a third of whole_row.
    TAMIS_ROLL
    for (std::int64_t rank = selected + block.rank(); rank < arguments->shape.k; rank += Block::size) {
      if (output.indices != nullptr) output.indices[row * output.indices_stride + rank] = -1;
      if (output.slots != nullptr) put_slot(rank, -1);
      if (output.scores != nullptr) put_score(rank, minus_infinity);
    }
  }

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

template <ScoreType type, class Block>
TAMIS_DEVICE Target<type> target_of(Block block, const kernels::Arguments& arguments, Window window) {
  return {&arguments, find_slot_map(block, arguments, window), window.row};
}

// A row of which every position is selected, in ascending position: nothing but stores, unless scores are asked for.
template <class Block, ScoreType type>
TAMIS_DEVICE void put_whole_row(Block block, const Bits<type>* scores, const Target<type>& target, Window window) {
  const bool scored = target.arguments->output.scores != nullptr;
  for (unsigned position = block.rank(); position < static_cast<unsigned>(window.length); position += Block::size)
    target.put(block, position, position, scored ? block.load(scores + position) : Bits<type>{});
}

}  // namespace tamis::stages
