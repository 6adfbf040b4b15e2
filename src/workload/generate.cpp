// patterns() and generate(): checks the target, then fills it row by row, in pieces where the scores must be narrowed.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "workload/recipe.hpp"
#include "workload/round.hpp"

namespace tamis::workload {
namespace {

Status bad(std::string_view argument, std::int64_t value, std::string_view must) {
  return {Code::invalid_argument, fmt::format("{} is {}; it must be {}", argument, value, must)};
}

Status check(const Target& target, std::int64_t first_row) {
  if (target.type < ScoreType::f32 || target.type > ScoreType::bf16)
    return bad("score type", static_cast<std::int64_t>(target.type), "an enumerator, 0 .. 2");
  if (target.rows < 0 || target.rows > INT32_MAX) return bad("rows", target.rows, fmt::format("0 .. {}", INT32_MAX));
  if (target.width < 0 || target.width > INT32_MAX)
    return bad("width", target.width, fmt::format("0 .. {}", INT32_MAX));
  if (first_row < 0 || first_row > INT64_MAX / 2) return bad("first_row", first_row, "0 .. 2^62");
  if (target.rows > 1 && target.stride < target.width)
    return bad("stride", target.stride, fmt::format("at least the width, {}", target.width));
  if (target.rows > 1 && target.stride > INT64_MAX / 8 / target.rows)
    return bad("stride", target.stride, fmt::format("small enough that {} rows can be addressed", target.rows));
  if (target.rows > 0 && target.width > 0 && target.scores == nullptr)
    return {Code::invalid_argument, "scores is null; it must be given"};
  return {};
}

const Recipe* find(std::string_view pattern) {
  const auto all = recipes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Recipe& r) { return r.pattern.name == pattern; });
  return found == all.end() ? nullptr : &*found;
}

Status unknown(std::string_view pattern) {
  std::string names;
  for (const Recipe& recipe : recipes()) names += fmt::format("{}{}", names.empty() ? "" : ", ", recipe.pattern.name);
  return {Code::invalid_argument, fmt::format("pattern is '{}'; it must be one of {}", pattern, names)};
}

// Writes scores [first, first + bits.size()) of a row that begins at `row`.
void store(std::span<const std::uint32_t> bits, ScoreType type, std::byte* row, std::int64_t first) {
  std::byte* to = row + first * static_cast<std::int64_t>(score_bytes(type));
  if (type == ScoreType::f32) {
    std::memcpy(to, bits.data(), bits.size_bytes());
    return;
  }
  for (const std::uint32_t f32 : bits) {
    const std::uint16_t narrow = type == ScoreType::f16 ? to_f16(f32) : to_bf16(f32);
    std::memcpy(to, &narrow, sizeof narrow);
    to += sizeof narrow;
  }
}

void fill_row(Fill fill, const Row& row, ScoreType type, std::byte* scores) {
  std::array<std::uint32_t, 1024> piece;
  for (std::int64_t first = 0; first < row.width(); first += std::ssize(piece)) {
    const std::int64_t count = std::min<std::int64_t>(std::ssize(piece), row.width() - first);
    const std::span<std::uint32_t> bits(piece.data(), static_cast<std::size_t>(count));
    fill(row, first, bits);
    store(bits, type, scores, first);
  }
}

}  // namespace

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> list;
    for (const Recipe& recipe : recipes()) list.push_back(recipe.pattern);
    return list;
  }();
  return all;
}

Status generate(std::string_view pattern, std::uint64_t seed, const Target& target, std::int64_t first_row) {
  const Recipe* recipe = find(pattern);
  if (recipe == nullptr) return unknown(pattern);
  if (Status status = check(target, first_row); !status.ok()) return status;
  if (target.width == 0) return {};
  const std::int64_t row_bytes = target.stride * static_cast<std::int64_t>(score_bytes(target.type));
  for (std::int64_t r = 0; r < target.rows; ++r)
    fill_row(recipe->fill, Row(seed, first_row + r, target.width), target.type,
             static_cast<std::byte*>(target.scores) + r * row_bytes);
  return {};
}

}  // namespace tamis::workload
