// How the journey of a short row reads its call: the usual one from its short form, any other from the arguments.
#pragma once

#include "kernels/arguments.hpp"
#include "stages/held.hpp"
#include "stages/paged_slots.hpp"
#include "stages/target.hpp"
#include "stages/window.hpp"

namespace tamis::kernels::calls {

using Target = stages::Target<ScoreType::f32>;

// Every output there is, whatever the mapping.
template <class Block>
TAMIS_DEVICE_OUTLINED void put_anyhow(Block block, const Arguments& arguments, stages::Window window, int at,
                                      int position) {
  std::uint32_t score = 0;
  if (arguments.output.scores != nullptr) {
    const float* scores = stages::Readable::of(arguments, window.row, window.start).scores;
    score = std::bit_cast<std::uint32_t>(block.load(scores + position));
  }
  stages::target_of<ScoreType::f32>(block, arguments, window).put(block, at, position, score);
}

// A row of which every position is selected, by one block.
template <class Block>
TAMIS_DEVICE void put_whole(Block block, const Arguments& arguments, stages::Window window) {
  const auto target = stages::target_of<ScoreType::f32>(block, arguments, window);
  target.put_rest(block, window);
  const auto row = stages::Readable::of(arguments, window.row, window.start);
  stages::put_whole_row(block, reinterpret_cast<const std::uint32_t*>(row.scores), target, window);
}

struct Usual {
  static constexpr bool usual = true;
  using Scores = stages::AlignedRow;
  using Slots = stages::PagedSlots;

  const Arguments& arguments;

  TAMIS_DEVICE int rows() const { return arguments.usual.rows; }
  TAMIS_DEVICE int width() const { return arguments.usual.width; }
  TAMIS_DEVICE int k() const { return arguments.usual.k; }

  template <class Block>
  TAMIS_DEVICE Scores scores(Block, int row) const {
    return {arguments.usual.scores + row * arguments.usual.stride, width()};
  }

  template <class Block>
  TAMIS_DEVICE Slots slots(Block, int row) const {
    const UsualCall& call = arguments.usual;
    return {call.selected + row * call.selected_stride,
            call.pages == nullptr ? nullptr : call.pages + row * call.pages_stride, call.page_shift};
  }

  // Where positions are asked for, each page is its own.
  template <class Block>
  TAMIS_DEVICE std::int32_t page(Block block, const Slots& slots, int column) const {
    return slots.pages == nullptr ? column : slots.page(block, column, arguments.usual.columns);
  }

  TAMIS_DEVICE static constexpr bool paged(const Slots&) { return true; }

  template <class Block>
  TAMIS_DEVICE stages::Window window(Block block, int row) const {
    const int entry = arguments.usual.lengths != nullptr ? block.load(arguments.usual.lengths + row) : width();
    const int length = std::clamp(entry, 0, width());
    return {row, 0, length, std::min(k(), length), entry > length, false};
  }

  // What no selected position decides, where not every position is selected: what was clamped.
  template <class Block>
  TAMIS_DEVICE void put_rest(Block block, const Slots&, stages::Window window) const {
    if (window.clamped) [[unlikely]]
      stages::count_faults(block, arguments, window);
  }
};

struct Any {
  static constexpr bool usual = false;
  using Scores = stages::Readable;
  using Slots = stages::PagedSlots;

  const Arguments& arguments;

  TAMIS_DEVICE int rows() const { return static_cast<int>(arguments.shape.rows); }
  TAMIS_DEVICE int width() const { return static_cast<int>(arguments.shape.width); }
  TAMIS_DEVICE int k() const { return static_cast<int>(arguments.shape.k); }

  template <class Block>
  TAMIS_DEVICE Scores scores(Block block, int row) const {
    const int start = arguments.rows.starts != nullptr ? block.load(arguments.rows.starts + row) : 0;
    return stages::Readable::of(arguments, row, start);
  }

  template <class Block>
  TAMIS_DEVICE Slots slots(Block block, int row) const {
    return stages::PagedSlots::of(block, arguments, row);
  }

  template <class Block>
  TAMIS_DEVICE std::int32_t page(Block block, const Slots& slots, int column) const {
    return slots.page(block, column, arguments.output.page_table.columns);
  }

  TAMIS_DEVICE static bool paged(const Slots& slots) { return slots.slots != nullptr; }

  template <class Block>
  TAMIS_DEVICE stages::Window window(Block block, int row) const {
    return stages::find_window(block, arguments, row);
  }

  template <class Block>
  TAMIS_DEVICE Target target(Block block, const Slots& slots, stages::Window window) const {
    return paged(slots) ? Target{&arguments, {slots.pages, 0}, window.row}
                        : stages::target_of<ScoreType::f32>(block, arguments, window);
  }

  template <class Block>
  TAMIS_DEVICE void put_rest(Block block, const Slots& slots, stages::Window window) const {
    target(block, slots, window).put_rest(block, window);
  }
};

}  // namespace tamis::kernels::calls
