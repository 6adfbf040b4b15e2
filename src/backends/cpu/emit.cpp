// One loop an output: each streams through the selection and then fills the padding.

#include "backends/cpu/emit.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "backends/cpu/faults.hpp"
#include "backends/cpu/mapping.hpp"

namespace tamis::detail::cpu {
namespace {

struct Counted {
  std::int64_t page = 0;
  std::int64_t slot = 0;
};

template <class Slot>
Slot fitting(std::int64_t slot, Counted& faults) {
  if (slot == static_cast<Slot>(slot)) return static_cast<Slot>(slot);
  ++faults.slot;
  return -1;
}

template <class Slot>
Slot paged_slot(std::int64_t position, const RowMap& map, Counted& faults) {
  const std::int64_t token = position + map.offset;
  const std::int64_t column = map.page_size.quotient(token);
  const std::int64_t page = token >= 0 && column < map.columns ? map.entries[column] : -1;
  const auto size = static_cast<std::int64_t>(map.page_size.divisor);
  if (page >= 0) return fitting<Slot>(page * size + (token - column * size), faults);
  ++faults.page;
  return -1;
}

// Writes slot_of(position) for each selected position.
template <class Slot, class SlotOf>
void write_mapped(const Selection& selection, Slot* slots, SlotOf slot_of) {
  if (selection.positions == nullptr)
    for (std::int64_t i = 0; i < selection.count; ++i) slots[i] = slot_of(i);
  else
    for (std::int64_t i = 0; i < selection.count; ++i) slots[i] = slot_of(selection.positions[i]);
}

template <class Slot>
void write_slots(const Selection& selection, std::int64_t k, const RowMap& map, Slot* slots, Counted& faults) {
  switch (map.route) {
    case Route::shifted:
      write_mapped(selection, slots, [&](std::int64_t p) { return fitting<Slot>(p + map.offset, faults); });
      break;
    case Route::paged:
      write_mapped(selection, slots, [&](std::int64_t p) { return paged_slot<Slot>(p, map, faults); });
      break;
    case Route::nowhere:
      std::fill_n(slots, selection.count, Slot{-1});
      break;
  }
  std::fill_n(slots + selection.count, k - selection.count, Slot{-1});
}

void emit_slots(const Selection& selection, std::int64_t k, std::int64_t row, const Output& output, Faults& faults) {
  Counted counted;
  const RowMap map = selection.count > 0 ? map_of_row(output, row, faults) : RowMap{};
  const std::int64_t at = row * output.slots_stride;
  if (output.slot_type == SlotType::i64)
    write_slots(selection, k, map, static_cast<std::int64_t*>(output.slots) + at, counted);
  else
    write_slots(selection, k, map, static_cast<std::int32_t*>(output.slots) + at, counted);
  note(faults.page, row, counted.page);
  note(faults.slot, row, counted.slot);
}

void emit_indices(const Selection& selection, std::int64_t k, std::int32_t* indices) {
  if (selection.positions == nullptr)
    std::iota(indices, indices + selection.count, 0);
  else
    std::copy_n(selection.positions, selection.count, indices);
  std::fill_n(indices + selection.count, k - selection.count, -1);
}

template <class Bits>
void emit_scores(const Selection& selection, std::int64_t k, Bits minus_infinity, Bits* to) {
  const Bits* from = static_cast<const Bits*>(selection.scores);
  if (selection.places == nullptr)
    std::copy_n(from, selection.count, to);
  else
    for (std::int64_t i = 0; i < selection.count; ++i) to[i] = from[selection.places[i]];
  std::fill_n(to + selection.count, k - selection.count, minus_infinity);
}

void emit_scores(const Selection& selection, const Shape& shape, std::int64_t at, void* scores) {
  if (shape.scores == ScoreType::f32)
    return emit_scores(selection, shape.k, 0xff800000u, static_cast<std::uint32_t*>(scores) + at);
  const std::uint16_t minus_infinity = shape.scores == ScoreType::f16 ? 0xfc00 : 0xff80;
  emit_scores(selection, shape.k, minus_infinity, static_cast<std::uint16_t*>(scores) + at);
}

}  // namespace

void emit(const Selection& selection, const Shape& shape, std::int64_t row, const Output& output, Faults& faults) {
  if (output.indices != nullptr) emit_indices(selection, shape.k, output.indices + row * output.indices_stride);
  if (output.slots != nullptr) emit_slots(selection, shape.k, row, output, faults);
  if (output.scores != nullptr) emit_scores(selection, shape, row * output.scores_stride, output.scores);
  if (output.counts != nullptr) output.counts[row] = static_cast<std::int32_t>(selection.count);
}

}  // namespace tamis::detail::cpu
