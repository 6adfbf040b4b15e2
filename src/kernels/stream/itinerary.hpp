// What a block has to know of a row before it can take it: its window, its body, its page table and where its bound is
// to be sought. The threads of a warp work it out for as many rows at once, long before their turn: for one row it is
// a chain of loads and divisions that the whole block would wait for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/stream/body.hpp"
#include "stages/slot.hpp"
#include "stages/target.hpp"

namespace tamis::kernels::stream {

// Rows planned at once; the plans of two such batches are at hand.
inline constexpr int planned_at_once = 16;
inline constexpr int itineraries = 2 * planned_at_once;

// Ranks in the sample between which the k-th score of the row lies, but for four standard deviations.
struct Ranks {
  std::uint32_t low;
  std::uint32_t high;
};
TAMIS_DEVICE Ranks ranks_of(int k, int length, int size) {
  constexpr float deviations = 4.0f;
  const float expected = static_cast<float>(k) * static_cast<float>(size) / static_cast<float>(length);
  const float margin = deviations * std::sqrt(expected);
  const auto low = static_cast<std::uint32_t>(expected + margin) + 2;
  const auto high = expected > margin + 1.0f ? static_cast<std::uint32_t>(expected - margin) : 1u;
  return {std::min(low, static_cast<std::uint32_t>(size)), high};
}

template <ScoreType type>
struct Itinerary {
  stages::Window window;
  const std::int32_t* pages;  // of a SlotMap, which is no plain memory
  std::int64_t offset;
  bool misplaced;
  Body<type> body;  // empty where the row does not stream
  Ranks ranks;

  TAMIS_DEVICE bool streams() const { return body.count > 0; }
  TAMIS_DEVICE stages::Target<type> target(const Arguments& arguments) const {
    return {&arguments, {pages, offset, misplaced}, window.row};
  }
};

// Rows as decoding has them: whole rows of a paged cache, one table row each, so that little has to be worked out.
TAMIS_DEVICE bool plainly_paged(const Arguments& arguments) {
  const Rows& rows = arguments.rows;
  const PageTable& table = arguments.output.page_table;
  return rows.lengths != nullptr && rows.starts == nullptr && arguments.shape.length_rule == LengthRule{} &&
         arguments.output.slots != nullptr && arguments.output.mapping == Mapping::paged &&
         table.table_of_row == nullptr && table.cu_rows == nullptr && table.page_start == nullptr;
}

// Which rows stream: long enough for a sample, and of which no more is selected than can be listed.
struct Limits {
  int least_packs;
  int most_selected;
};

// The body as the ring is to fetch it: nothing of a row that does not stream. One whose length was clamped does not:
// the quick way counts no faults.
template <ScoreType type>
TAMIS_DEVICE Body<type> streamed_body(const Arguments& arguments, stages::Window window, Limits limits) {
  Body<type> body = body_of(stages::row_of<type>(arguments, window));
  if (window.whole() || window.clamped || body.count < limits.least_packs || window.selected > limits.most_selected)
    body.count = 0;
  return body;
}

// Any row.
template <ScoreType type, class Block>
TAMIS_DEVICE_OUTLINED Itinerary<type> plan_any_row(Block block, const Arguments& arguments, int row, int sample_size,
                                                   Limits limits) {
  const stages::Window window = stages::find_window(block, arguments, row);
  const Body<type> body = streamed_body<type>(arguments, window, limits);
  const Ranks ranks = body.count > 0 ? ranks_of(window.selected, window.length, sample_size) : Ranks{};
  const stages::SlotMap slots = stages::find_slot_map(block, arguments, window);
  return {window, slots.pages, slots.offset, slots.misplaced, body, ranks};
}

// By one thread; a short way for plainly paged rows, and nothing for a row behind the last. Inlined, so that arguments
// come from the constant bank: through a reference each was a load of 360 cycles, one behind the other.
template <ScoreType type, class Block>
TAMIS_DEVICE Itinerary<type> plan_row(Block block, const Arguments& arguments, std::int64_t row, int sample_size,
                                      Limits limits) {
  if (row >= arguments.shape.rows) return {};
  const auto index = static_cast<int>(row);
  const auto width = static_cast<int>(arguments.shape.width);
  const PageTable& table = arguments.output.page_table;
  if (plainly_paged(arguments) && row < table.tables) {
    const int length = block.load(arguments.rows.lengths + index);
    if (length > 0 && length <= width) {
      const int selected = arguments.shape.k < length ? static_cast<int>(arguments.shape.k) : length;
      const stages::Window window{index, 0, length, selected, false, false};
      return {window,
              table.entries + row * table.stride,
              0,
              false,
              streamed_body<type>(arguments, window, limits),
              ranks_of(selected, length, sample_size)};
    }
  }
  return plan_any_row<type>(block, arguments, index, sample_size, limits);
}

}  // namespace tamis::kernels::stream
