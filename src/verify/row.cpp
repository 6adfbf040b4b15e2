// A row's window and the checks that every row undergoes: its count first, its padding last.

#include "verify/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tamis::verifier {
namespace {

struct Window {
  std::int64_t start = 0;
  std::int64_t length = 0;
};

Window window_of(const Shape& shape, const Rows& rows, std::int64_t row) {
  const std::int64_t start = rows.starts != nullptr ? rows.starts[row] : 0;
  if (start < 0 || start > shape.width) return {};
  const std::int64_t next_n = shape.length_rule.next_n;
  const std::int64_t whole = rows.lengths != nullptr ? rows.lengths[row / next_n] : shape.width;
  const std::int64_t seen = whole - (next_n - 1 - row % next_n);
  if (seen <= 0) return {start, 0};
  return {start, std::min(seen / shape.length_rule.divisor, shape.width - start)};
}

const void* score_at(const Shape& shape, const Rows& rows, std::int64_t row, std::int64_t column) {
  if (rows.scores == nullptr) return nullptr;  // a matrix without columns
  const std::int64_t element = row * rows.stride + column;
  return static_cast<const char*>(rows.scores) + element * static_cast<std::int64_t>(score_bytes(shape.scores));
}

Verdict check_count(const Row& row) {
  if (row.output.counts == nullptr || row.output.counts[row.row] == row.n) return {};
  return {Finding::wrong_count, -1, -1, fmt::format("count is {}; it must be {}", row.output.counts[row.row], row.n)};
}

Verdict padding(std::int64_t entry, std::string_view what, const std::string& was, std::string_view must) {
  return {Finding::wrong_padding, entry, -1,
          fmt::format("{} is {}, past the last selected; it must be {}", what, was, must)};
}

Verdict check_padding(const Row& row) {
  const Output& output = row.output;
  // Where counts alone were written k may be any number, and there is nothing to look at.
  if (output.indices == nullptr && output.slots == nullptr && output.scores == nullptr) return {};
  for (std::int64_t i = row.n; i < row.shape.k; ++i) {
    const std::int64_t index = output.indices != nullptr ? output.indices[row.row * output.indices_stride + i] : -1;
    if (index != -1) return padding(i, "index", fmt::to_string(index), "-1");
    const std::int64_t slot = output.slots != nullptr ? row.slots.written(i) : -1;
    if (slot != -1) return padding(i, "slot", fmt::to_string(slot), "-1");
    if (output.scores == nullptr || row.written_score(i) == row.scores.minus_infinity()) continue;
    return padding(i, "score", fmt::to_string(score_value(row.written_score(i), row.shape.scores)), "-inf");
  }
  return {};
}

// The positions of the first n entries, as far as the output tells.
std::optional<std::vector<std::int64_t>> positions_of(const Row& row) {
  if (row.output.indices != nullptr) {
    const std::int32_t* first = row.output.indices + row.row * row.output.indices_stride;
    return std::vector<std::int64_t>(first, first + row.n);
  }
  if (row.output.slots != nullptr) return row.slots.inverse(row.length, row.n);
  return std::nullopt;
}

}  // namespace

std::uint32_t Row::written_score(std::int64_t entry) const {
  return score_bits(output.scores, shape.scores, row * output.scores_stride + entry);
}

bool Row::before(std::int64_t a, std::int64_t b) const {
  const Rank rank_a = scores.rank(a), rank_b = scores.rank(b);
  return rank_a != rank_b ? rank_a > rank_b : a < b;
}

Row row_of(const Shape& shape, const Rows& rows, const Output& output, std::int64_t row) {
  const Window window = window_of(shape, rows, row);
  return {shape,
          output,
          row,
          window.length,
          std::min(shape.k, window.length),
          RowScores(score_at(shape, rows, row, window.start), shape.scores, shape.nan),
          SlotMap(output, row)};
}

Verdict judge(const Row& row, Marks& marks) {
  if (Verdict verdict = check_count(row); verdict.wrong()) return verdict;
  const auto positions = positions_of(row);
  Verdict verdict = positions ? judge_positions(row, *positions, marks) : judge_values(row);
  return verdict.wrong() ? verdict : check_padding(row);
}

}  // namespace tamis::verifier
