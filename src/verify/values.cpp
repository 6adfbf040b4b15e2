// Judges a row whose positions cannot be told: only scores were written, or slots that several positions may share.
// What was written must be, as a multiset, what the best positions give: all those above the n-th score, and the rest
// from those that tie with it. Where the selection is unique, the sequence is checked too.

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <numeric>

#include "verify/row.hpp"

namespace tamis::verifier {
namespace {

// One output entry, as far as it was asked for.
struct Value {
  std::int64_t slot = 0;
  std::uint32_t score = 0;

  auto operator<=>(const Value&) const = default;
};

Value value_of(const Row& row, std::int64_t position) {
  return {row.output.slots != nullptr ? row.slots.slot(position) : 0,
          row.output.scores != nullptr ? row.scores.bits(position) : 0};
}

Value written(const Row& row, std::int64_t entry) {
  return {row.output.slots != nullptr ? row.slots.written(entry) : 0,
          row.output.scores != nullptr ? row.written_score(entry) : 0};
}

// The positions that must be selected, and those of which as many as are then missing may be.
struct Candidates {
  std::vector<std::int64_t> above;
  std::vector<std::int64_t> tied;
};

Candidates candidates_of(const Row& row) {
  std::vector<Rank> ranks(row.length);
  for (std::int64_t p = 0; p < row.length; ++p) ranks[p] = row.scores.rank(p);
  std::nth_element(ranks.begin(), ranks.begin() + (row.n - 1), ranks.end(), std::greater<>());
  const Rank last = ranks[row.n - 1];
  Candidates result;
  for (std::int64_t p = 0; p < row.length; ++p) {
    const Rank rank = row.scores.rank(p);
    if (rank > last) result.above.push_back(p);
    if (rank == last) result.tied.push_back(p);
  }
  if (row.shape.ties == Ties::lowest_index) result.tied.resize(row.n - result.above.size());
  return result;
}

std::vector<Value> sorted_values(const Row& row, const std::vector<std::int64_t>& positions) {
  std::vector<Value> values;
  for (std::int64_t position : positions) values.push_back(value_of(row, position));
  std::sort(values.begin(), values.end());
  return values;
}

// What is left of `from` without `taken`, both sorted multisets.
std::vector<Value> without(const std::vector<Value>& from, const std::vector<Value>& taken) {
  std::vector<Value> rest;
  std::set_difference(from.begin(), from.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

Verdict surplus(const Row& row, const Value& value) {
  std::int64_t entry = 0;
  while (written(row, entry) != value) ++entry;
  if (row.output.slots == nullptr)
    return {Finding::wrong_score, entry, -1,
            fmt::format("score {} (bits {:#x}) is not among the {} to be selected, or not so often",
                        score_value(value.score, row.shape.scores), value.score, row.n)};
  return {Finding::wrong_slot, entry, -1,
          fmt::format("slot {} is not that of a position to be selected, or not so often", value.slot)};
}

Verdict missing(const Row& row, const Candidates& candidates, const Value& value) {
  const auto has_value = [&](std::int64_t position) { return value_of(row, position) == value; };
  const auto position = *std::find_if(candidates.above.begin(), candidates.above.end(), has_value);
  return {Finding::not_best, -1, position,
          fmt::format("position {} (score {}) was left out", position, row.scores.value(position))};
}

Verdict check_multiset(const Row& row, const Candidates& candidates) {
  std::vector<Value> values(row.n);
  for (std::int64_t i = 0; i < row.n; ++i) values[i] = written(row, i);
  std::sort(values.begin(), values.end());
  const std::vector<Value> above = sorted_values(row, candidates.above);
  const std::vector<Value> strangers = without(without(values, above), sorted_values(row, candidates.tied));
  if (!strangers.empty()) return surplus(row, strangers.front());
  const std::vector<Value> left_out = without(above, values);
  return left_out.empty() ? Verdict{} : missing(row, candidates, left_out.front());
}

// The one sequence that is right, where ties leave no choice.
Verdict check_sequence(const Row& row, const Candidates& candidates) {
  std::vector<std::int64_t> expected = candidates.above;
  expected.insert(expected.end(), candidates.tied.begin(), candidates.tied.end());
  if (row.order() == Order::by_index) std::sort(expected.begin(), expected.end());
  if (row.order() == Order::by_score)
    std::sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) { return row.before(a, b); });
  for (std::int64_t i = 0; i < row.n; ++i)
    if (written(row, i) != value_of(row, expected[i]))
      return {Finding::wrong_order, i, expected[i],
              fmt::format("position {} belongs here; the order is {}", expected[i], name(row.order()))};
  return {};
}

Verdict check_descent(const Row& row) {
  for (std::int64_t i = 1; i < row.n; ++i)
    if (row.scores.rank_of(row.written_score(i)) > row.scores.rank_of(row.written_score(i - 1)))
      return {Finding::wrong_order, i, -1, "score is above the one before it; the order is by_score"};
  return {};
}

}  // namespace

Verdict judge_values(const Row& row) {
  if (row.n == 0 || (row.output.slots == nullptr && row.output.scores == nullptr)) return {};
  const Candidates candidates = candidates_of(row);
  if (Verdict verdict = check_multiset(row, candidates); verdict.wrong()) return verdict;
  if (row.order() == Order::any) return {};
  const bool unique = static_cast<std::int64_t>(candidates.above.size() + candidates.tied.size()) == row.n;
  if (unique) return check_sequence(row, candidates);
  return row.order() == Order::by_score && row.output.scores != nullptr ? check_descent(row) : Verdict{};
}

}  // namespace tamis::verifier
