// Judges a row whose selected positions are known. The set is right exactly when as many positions beat the worst
// selected one as were selected besides it: one counting pass over the row, whatever the order of the output.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "verify/row.hpp"

namespace tamis::verifier {
namespace {

using Positions = std::vector<std::int64_t>;

std::string described(const Row& row, std::int64_t position) {
  return fmt::format("position {} (score {})", position, row.scores.value(position));
}

// Sets the marks of some positions for as long as it lives.
class Marked {
 public:
  Marked(Marks& marks, const Positions& positions) : marks_(marks), positions_(positions) { set(true); }
  ~Marked() { set(false); }
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;

 private:
  void set(bool mark) {
    for (std::int64_t position : positions_) marks_[position] = mark;
  }
  Marks& marks_;
  const Positions& positions_;
};

Verdict check_range(const Row& row, const Positions& positions, Marks&) {
  for (std::int64_t i = 0; i < row.n; ++i) {
    if (positions[i] >= 0 && positions[i] < row.length) continue;
    if (row.output.indices != nullptr)
      return {Finding::out_of_range, i, positions[i],
              fmt::format("index is {}; it must be 0 .. {}", positions[i], row.length - 1)};
    return {Finding::out_of_range, i, -1,
            fmt::format("slot is {}, which no position of 0 .. {} has", row.slots.written(i), row.length - 1)};
  }
  return {};
}

Verdict check_distinct(const Row& row, const Positions& positions, Marks& marks) {
  std::int64_t distinct = 0;
  for (; distinct < row.n && !marks[positions[distinct]]; ++distinct) marks[positions[distinct]] = true;
  for (std::int64_t i = 0; i < distinct; ++i) marks[positions[i]] = false;
  if (distinct == row.n) return {};
  const std::int64_t position = positions[distinct];
  const auto first = std::find(positions.begin(), positions.end(), position) - positions.begin();
  return {Finding::duplicate, distinct, position, fmt::format("position {} is already at entry {}", position, first)};
}

// The verdict that the best position not selected was left out in favour of the worst selected.
Verdict left_out(const Row& row, const Positions& positions, Marks& marks, Finding finding, std::int64_t worst) {
  const Marked marked(marks, positions);
  std::int64_t best = -1;
  for (std::int64_t p = 0; p < row.length; ++p)
    if (!marks[p] && (best < 0 || row.before(p, best))) best = p;
  return {
      finding, worst, best,
      fmt::format("{} was left out, while {} was selected", described(row, best), described(row, positions[worst]))};
}

Verdict check_best(const Row& row, const Positions& positions, Marks& marks) {
  if (row.n == 0) return {};
  const auto before = [&](std::int64_t a, std::int64_t b) { return row.before(a, b); };
  const std::int64_t worst = std::max_element(positions.begin(), positions.end(), before) - positions.begin();
  const std::int64_t last = positions[worst];
  const Rank rank = row.scores.rank(last);

  const auto is_above = [&](std::int64_t position) { return row.scores.rank(position) > rank; };
  const std::int64_t selected_above = std::count_if(positions.begin(), positions.end(), is_above);
  const std::int64_t above_before = row.scores.count_above(0, last, rank);
  const std::int64_t above_after = row.scores.count_above(last + 1, row.length, rank);
  if (above_before + above_after != selected_above) return left_out(row, positions, marks, Finding::not_best, worst);

  if (row.shape.ties == Ties::any) return {};
  const std::int64_t at_least_before = row.scores.count_above(0, last, rank - 1);
  if (at_least_before + above_after == row.n - 1) return {};
  return left_out(row, positions, marks, Finding::wrong_tie, worst);
}

Verdict check_order(const Row& row, const Positions& positions, Marks&) {
  const Order order = row.order();
  if (order == Order::any) return {};
  for (std::int64_t i = 1; i < row.n; ++i) {
    const std::int64_t a = positions[i - 1], b = positions[i];
    if (order == Order::by_index ? a < b : row.before(a, b)) continue;
    return {Finding::wrong_order, i, b,
            fmt::format("{} comes after {}; the order is {}", described(row, b), described(row, a), name(order))};
  }
  return {};
}

Verdict check_scores(const Row& row, const Positions& positions, Marks&) {
  if (row.output.scores == nullptr) return {};
  for (std::int64_t i = 0; i < row.n; ++i) {
    const std::uint32_t was = row.written_score(i), must = row.scores.bits(positions[i]);
    if (was == must) continue;
    return {Finding::wrong_score, i, positions[i],
            fmt::format("score is {} (bits {:#x}); that of position {} is {} (bits {:#x})",
                        score_value(was, row.shape.scores), was, positions[i], row.scores.value(positions[i]), must)};
  }
  return {};
}

Verdict check_slots(const Row& row, const Positions& positions, Marks&) {
  if (row.output.slots == nullptr) return {};
  for (std::int64_t i = 0; i < row.n; ++i) {
    const std::int64_t was = row.slots.written(i), must = row.slots.slot(positions[i]);
    if (was == must) continue;
    return {Finding::wrong_slot, i, positions[i],
            fmt::format("slot is {}; that of position {} is {}", was, positions[i], must)};
  }
  return {};
}

}  // namespace

Verdict judge_positions(const Row& row, const Positions& positions, Marks& marks) {
  // Each check relies on those before it: a position is looked up only once it is known to lie in the window.
  constexpr std::array checks{check_range, check_distinct, check_best, check_order, check_scores, check_slots};
  for (const auto check : checks)
    if (Verdict verdict = check(row, positions, marks); verdict.wrong()) return verdict;
  return {};
}

}  // namespace tamis::verifier
