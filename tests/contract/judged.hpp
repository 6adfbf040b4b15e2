// A small right output to corrupt, and what corruptions of it must be called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/oracle.hpp"

namespace tamis::testing {

constexpr std::int64_t rows_count = 5, width = 48, k = 12, middle = 2;

// A small selection with ties everywhere, and its output, to be corrupted.
struct Judged {
  Shape shape{.rows = rows_count, .width = width, .k = k, .order = Order::by_index};
  std::vector<float> scores = std::vector<float>(rows_count * width);
  std::vector<std::int32_t> lengths = {48, 12, 40, 5, 48};
  std::vector<std::int32_t> pages = std::vector<std::int32_t>(rows_count * 7);
  std::vector<std::int32_t> page_start = {0, 3, 5, 1, 7};
  std::vector<std::int32_t> offsets = {100, 200, 300, 400, 500};
  Mapping mapping = Mapping::paged;

  std::vector<std::int32_t> indices = std::vector<std::int32_t>(rows_count * k);
  std::vector<std::int64_t> slots = std::vector<std::int64_t>(rows_count * k);
  std::vector<float> out_scores = std::vector<float>(rows_count * k);
  std::vector<std::int32_t> counts = std::vector<std::int32_t>(rows_count);
  bool with_indices = true, with_slots = true, with_scores = true, with_counts = true;

  Judged() {
    for (std::int64_t i = 0; i < rows_count * width; ++i)
      scores[i] = static_cast<float>((i * 7 + i / width * 3) % 5 - 1);
    for (std::int64_t i = 0; i < rows_count * 7; ++i) pages[i] = static_cast<std::int32_t>((i * 11) % 37);
  }

  Rows rows() const { return {.scores = scores.data(), .stride = width, .lengths = lengths.data()}; }

  Output output() {
    return {.indices = with_indices ? indices.data() : nullptr,
            .slots = with_slots ? slots.data() : nullptr,
            .slot_type = SlotType::i64,
            .scores = with_scores ? out_scores.data() : nullptr,
            .counts = with_counts ? counts.data() : nullptr,
            .mapping = mapping,
            .page_table = {.entries = pages.data(),
                           .tables = rows_count,
                           .columns = 7,
                           .stride = 7,
                           .page_size = 8,
                           .page_start = page_start.data()},
            .offsets = offsets.data()};
  }

  void select() { oracle_select(shape, rows(), output()); }
  std::vector<Item> ranked(std::int64_t row) { return ranking(shape, rows(), output(), row).items; }

  // Writes an item to an entry of every output, so that only the choice of the item is wrong.
  void put(std::int64_t row, std::int64_t entry, const Item& item) {
    indices[row * k + entry] = static_cast<std::int32_t>(item.position);
    slots[row * k + entry] = item.slot;
    out_scores[row * k + entry] = static_cast<float>(item.value);
  }
  std::int64_t entry_of(std::int64_t row, std::int64_t position) const {
    return std::find(indices.begin() + row * k, indices.begin() + (row + 1) * k, position) -
           (indices.begin() + row * k);
  }
  void swap_entries(std::int64_t row, std::int64_t a, std::int64_t b) {
    std::swap(indices[row * k + a], indices[row * k + b]);
    std::swap(slots[row * k + a], slots[row * k + b]);
    std::swap(out_scores[row * k + a], out_scores[row * k + b]);
  }
  void only(bool have_indices, bool have_slots, bool have_scores) {
    with_indices = have_indices, with_slots = have_slots, with_scores = have_scores;
  }
};

// What the verdict must be; a position of `unnamed` may be any.
constexpr std::int64_t unnamed = -2;
struct Verdict {
  Finding finding;
  std::int64_t row = -1, entry = -1, position = unnamed;
};

struct Corruption {
  const char* name;
  std::function<void(Judged&)> prepare;     // before the oracle writes
  std::function<Verdict(Judged&)> corrupt;  // after
};

// Every corruption that the verifier must name.
const std::vector<Corruption>& corruptions();

// Replaces the worst item selected in `row` by the best one that was not; the verdict is `finding`.
Verdict take_the_next(Judged& judged, std::int64_t row, Finding finding);

}  // namespace tamis::testing
