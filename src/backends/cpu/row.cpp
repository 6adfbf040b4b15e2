// A row with no more scores than k is written whole, unread; any other is refined to its k best and then put in order.

#include "backends/cpu/row.hpp"

#include <algorithm>

#include "backends/cpu/emit.hpp"
#include "backends/cpu/order.hpp"
#include "backends/cpu/refine.hpp"
#include "backends/cpu/window.hpp"

namespace tamis::detail::cpu {
namespace {

Stretch stretch_of(const SelectCall& call, std::int64_t row, const Window& window) {
  // An empty window may lie in a matrix without columns, whose scores may be null.
  if (window.length == 0) return {.scores = nullptr, .length = 0, .first = 0, .type = call.shape.scores};
  const auto at = static_cast<std::size_t>(row * call.rows.stride + window.start) * score_bytes(call.shape.scores);
  return {.scores = static_cast<const std::byte*>(call.rows.scores) + at,
          .length = window.length,
          .first = 0,
          .type = call.shape.scores};
}

KeyRule rule_of(const Shape& shape) { return key_rule(shape.scores, shape.nan); }

// Candidates stand in ascending position, which serves every order but one.
void emit_candidates(const SelectCall& call, std::int64_t row, const Stretch& stretch, Candidates& candidates,
                     Faults& faults) {
  if (call.shape.order == Order::by_score) sort_best_first(candidates);
  emit({candidates.count, candidates.positions, stretch.scores, candidates.positions}, call.shape, row, call.output,
       faults);
}

void emit_whole(const SelectCall& call, std::int64_t row, const Stretch& stretch, Candidates& candidates,
                Faults& faults) {
  if (call.shape.order != Order::by_score)
    return emit({stretch.length, nullptr, stretch.scores, nullptr}, call.shape, row, call.output, faults);
  kernels().filter(stretch, 0, any_key, rule_of(call.shape), candidates);
  emit_candidates(call, row, stretch, candidates, faults);
}

Stretch part_of(const Stretch& stretch, std::int64_t part, std::int64_t parts) {
  const std::int64_t size = std::max(least_part, (stretch.length + parts - 1) / parts);
  const std::int64_t begin = std::min(part * size, stretch.length);
  const auto at = static_cast<std::size_t>(begin) * score_bytes(stretch.type);
  return {.scores = static_cast<const std::byte*>(stretch.scores) + at,
          .length = std::min(size, stretch.length - begin),
          .first = static_cast<std::int32_t>(begin),
          .type = stretch.type};
}

// Appends the candidates of a list whose key is at_least or more.
void append_list(const PartList& list, std::int32_t at_least, Candidates& candidates) {
  for (std::int64_t i = 0; i < *list.count; ++i) {
    if (list.keys[i] < at_least) continue;
    candidates.keys[candidates.count] = list.keys[i];
    candidates.positions[candidates.count++] = list.positions[i];
  }
}

// Parts follow one another in position, so candidates stay in ascending position and a full buffer may be settled.
void choose_from_lists(const SelectCall& call, std::int64_t row, const Scratch& scratch, Candidates& candidates) {
  std::int32_t at_least = any_key;
  for (std::int64_t part = 0; part < call.parts; ++part) {
    const PartList list = scratch.list(row * call.parts + part);
    if (candidates.count + *list.count > candidates.capacity) at_least = settle(candidates, call.shape.k) + 1;
    append_list(list, at_least, candidates);
  }
  settle(candidates, call.shape.k);
}

}  // namespace

void select_row(const SelectCall& call, std::int64_t row, Candidates candidates, Faults& faults) {
  const Window window = find_window(call.shape, call.rows, row, faults);
  const Stretch stretch = stretch_of(call, row, window);
  if (window.length <= call.shape.k) return emit_whole(call, row, stretch, candidates, faults);
  select_best(stretch, call.shape.k, rule_of(call.shape), candidates);
  emit_candidates(call, row, stretch, candidates, faults);
}

void select_part(const SelectCall& call, std::int64_t row, std::int64_t part, Candidates candidates,
                 const PartList& list) {
  *list.count = 0;
  Faults counted_when_finished;
  const Window window = find_window(call.shape, call.rows, row, counted_when_finished);
  if (window.length <= call.shape.k) return;
  const Stretch stretch = part_of(stretch_of(call, row, window), part, call.parts);
  if (stretch.length == 0) return;
  select_best(stretch, std::min(call.shape.k, stretch.length), rule_of(call.shape), candidates);
  std::copy_n(candidates.keys, candidates.count, list.keys);
  std::copy_n(candidates.positions, candidates.count, list.positions);
  *list.count = candidates.count;
}

void finish_row(const SelectCall& call, std::int64_t row, Candidates candidates, const Scratch& scratch,
                Faults& faults) {
  const Window window = find_window(call.shape, call.rows, row, faults);
  const Stretch stretch = stretch_of(call, row, window);
  if (window.length <= call.shape.k) return emit_whole(call, row, stretch, candidates, faults);
  choose_from_lists(call, row, scratch, candidates);
  emit_candidates(call, row, stretch, candidates, faults);
}

}  // namespace tamis::detail::cpu
