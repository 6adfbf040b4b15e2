// Holds outputs against the oracle, element by element, padding, gaps between rows and faults included.

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstring>

#include "support/oracle.hpp"
#include "support/runner.hpp"

namespace tamis::testing {
namespace {

// What one entry of a row holds, in the outputs asked for; 0 in the others.
struct Entry {
  std::int64_t index = 0;
  std::int64_t slot = 0;
  std::uint32_t score = 0;

  auto operator<=>(const Entry&) const = default;
};

std::string shown(const Entry& e) {
  return fmt::format("(index {}, slot {}, score bits {:#x})", e.index, e.slot, e.score);
}

// One row of the outputs, and what the oracle makes of it.
struct Row {
  const Case& c;
  const Output& output;
  std::int64_t row;
  const Ranking& ranking;

  Entry written(std::int64_t i) const {
    Entry e;
    if (output.indices) e.index = output.indices[row * output.indices_stride + i];
    if (output.scores) e.score = bits_at(output.scores, c.shape.scores, row * output.scores_stride + i);
    if (!output.slots) return e;
    const std::int64_t at = row * output.slots_stride + i;
    e.slot = output.slot_type == SlotType::i64 ? static_cast<const std::int64_t*>(output.slots)[at]
                                               : static_cast<const std::int32_t*>(output.slots)[at];
    return e;
  }

  Entry expected(const Item& item) const {
    return {output.indices ? item.position : 0, output.slots ? item.slot : 0, output.scores ? item.bits : 0};
  }

  Entry padding() const {
    const ScoreType type = c.shape.scores;
    const std::uint32_t minus_infinity = type == ScoreType::f32   ? 0xff800000u
                                         : type == ScoreType::f16 ? 0xfc00u
                                                                  : 0xff80u;
    return expected({.position = -1, .slot = -1, .value = 0, .bits = minus_infinity});
  }
};

std::string differs(const Row& row, std::int64_t i, const Entry& must) {
  return fmt::format("row {}, entry {}: {}, must be {}", row.row, i, shown(row.written(i)), shown(must));
}

std::string compare_sequence(const Row& row) {
  const std::vector<Item> items = selection(row.ranking, row.c.shape);
  for (std::int64_t i = 0; i < row.ranking.n; ++i)
    if (row.written(i) != row.expected(items[i])) return differs(row, i, row.expected(items[i]));
  return {};
}

std::string compare_set(const Row& row) {
  std::vector<Entry> written, expected;
  for (std::int64_t i = 0; i < row.ranking.n; ++i) {
    written.push_back(row.written(i));
    expected.push_back(row.expected(row.ranking.items[i]));
  }
  std::sort(written.begin(), written.end());
  std::sort(expected.begin(), expected.end());
  for (std::int64_t i = 0; i < row.ranking.n; ++i)
    if (written[i] != expected[i])
      return fmt::format("row {}: selected {}, must select {}", row.row, shown(written[i]), shown(expected[i]));
  return {};
}

// Under Ties::any: all above the last score, the rest tied with it, each once, in the order asked for.
std::string compare_free_ties(const Row& row) {
  if (!row.output.indices || row.ranking.n == 0) return {};  // verify judges those
  const std::vector<Item>& ranked = row.ranking.items;
  const auto tied_with_last = [&](const Item& item) { return tied(item, ranked[row.ranking.n - 1]); };
  const std::int64_t above = std::find_if(ranked.begin(), ranked.end(), tied_with_last) - ranked.begin();
  std::vector<std::int64_t> rank_of(ranked.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) rank_of[ranked[i].position] = static_cast<std::int64_t>(i);
  std::vector<std::int64_t> ranks;
  for (std::int64_t i = 0; i < row.ranking.n; ++i) {
    const Entry e = row.written(i);
    if (e.index < 0 || e.index >= static_cast<std::int64_t>(ranked.size())) return differs(row, i, {});
    ranks.push_back(rank_of[e.index]);
    const Item& item = ranked[ranks.back()];
    if (e != row.expected(item) || (ranks.back() >= above && !tied_with_last(item)))
      return differs(row, i, row.expected(item));
    const bool ascending = i == 0 || row.written(i - 1).index < e.index;
    if (row.c.shape.order == Order::by_index && !ascending)
      return fmt::format("row {}, entry {}: not ascending", row.row, i);
    if (row.c.shape.order == Order::by_score && i > 0 && ranks[i - 1] >= ranks[i])
      return fmt::format("row {}, entry {}: not best first", row.row, i);
  }
  std::sort(ranks.begin(), ranks.end());
  for (std::int64_t i = 0; i < above; ++i)
    if (ranks[i] != i) return fmt::format("row {}: position {} is left out", row.row, ranked[i].position);
  if (std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end())
    return fmt::format("row {}: a position twice", row.row);
  return {};
}

std::string compare_row(const Row& row) {
  if (row.output.counts && row.output.counts[row.row] != row.ranking.n)
    return fmt::format("row {}: count {}, must be {}", row.row, row.output.counts[row.row], row.ranking.n);
  for (std::int64_t i = row.ranking.n; i < row.c.shape.k; ++i)
    if (row.written(i) != row.padding()) return differs(row, i, row.padding());
  const bool whole = row.ranking.n == static_cast<std::int64_t>(row.ranking.items.size());
  const bool free_order = row.c.shape.order == Order::any && !whole;
  if (row.c.shape.ties == Ties::any && !whole) return compare_free_ties(row);
  return free_order ? compare_set(row) : compare_sequence(row);
}

// Whether the bytes between the rows of an output are still poison.
std::string compare_gaps(const char* name, const std::vector<std::byte>& array, const Case& c, std::int64_t stride,
                         std::size_t bytes) {
  for (std::int64_t r = 0; r + 1 < c.shape.rows && !array.empty(); ++r) {
    const auto first = array.begin() + (r * stride + c.shape.k) * static_cast<std::int64_t>(bytes);
    const auto last = array.begin() + (r + 1) * stride * static_cast<std::int64_t>(bytes);
    if (std::any_of(first, last, [](std::byte byte) { return byte != poison; }))
      return fmt::format("{}: written between rows {} and {}", name, r, r + 1);
  }
  return {};
}

std::string compare_faults(const Faults& was, const Faults& must) {
  const auto one = [](const char* name, const Fault& a, const Fault& b) {
    return a == b ? std::string()
                  : fmt::format("faults.{}: {} from row {}, must be {} from row {}", name, a.count, a.first_row,
                                b.count, b.first_row);
  };
  return one("length", was.length, must.length) + one("start", was.start, must.start) +
         one("table_row", was.table_row, must.table_row) + one("page", was.page, must.page) +
         one("slot", was.slot, must.slot);
}

}  // namespace

std::string compare(const Prepared& prepared, const Outputs& outputs) {
  const Case& c = prepared.c;
  const Inputs& in = prepared.in;
  const Output output = outputs.view(c, in);
  const std::size_t slot_bytes = c.slot_type == SlotType::i64 ? 8 : 4;
  for (const std::string& wrong :
       {compare_gaps("indices", outputs.indices, c, output.indices_stride, 4),
        compare_gaps("slots", outputs.slots, c, output.slots_stride, slot_bytes),
        compare_gaps("scores", outputs.scores, c, output.scores_stride, score_bytes(c.shape.scores))})
    if (!wrong.empty()) return wrong;
  Faults faults;
  for (std::int64_t r = 0; r < c.shape.rows; ++r) {
    const Ranking& ranked = prepared.rankings[r];
    if (std::string wrong = compare_row({c, output, r, ranked}); !wrong.empty()) return wrong;
    add_faults(faults, c.shape, in.rows(), output, r, ranked);
  }
  // Which tied positions meet a fault is the method's choice under Ties::any.
  if ((c.outputs & wanted::faults) == 0 || c.shape.ties == Ties::any) return {};
  return compare_faults(outputs.faults, faults);
}

}  // namespace tamis::testing
