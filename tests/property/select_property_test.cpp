// Properties of selection on random shapes, options and scores: what must hold whatever the input, by relations between
// runs rather than by an expected value.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "support/oracle.hpp"
#include "support/shards.hpp"

namespace tamis::testing {
namespace {

using Floats = std::vector<float>;

// Scores from a few values to all bit patterns, so that ties, zeros of both signs and NaNs all occur.
Floats any_scores(std::int64_t count) {
  const int kind = *rc::gen::inRange(0, 3);
  const auto bits = *rc::gen::container<std::vector<std::uint32_t>>(static_cast<std::size_t>(count),
                                                                    rc::gen::arbitrary<std::uint32_t>());
  constexpr std::uint32_t special[] = {0,           0x80000000u, 0x7f800000u, 0xff800000u,
                                       0x7fc00000u, 0xffc00001u, 1,           0x3f800000u};
  Floats scores;
  for (std::uint32_t word : bits) {
    if (kind == 0) scores.push_back(static_cast<float>(word % 7));
    if (kind == 1) scores.push_back(std::bit_cast<float>(word * 2654435761u));
    if (kind == 2) scores.push_back(std::bit_cast<float>(special[word % 8]));
  }
  return scores;
}

std::vector<std::byte> bytes_of(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  return {first, first + bytes};
}
std::vector<std::byte> bytes_of(const Floats& scores) { return bytes_of(scores.data(), scores.size() * sizeof(float)); }

Shape any_shape(std::int64_t width) {
  return {.rows = 1,
          .width = width,
          .k = *rc::gen::inRange<std::int64_t>(1, width + 4),
          .order = *rc::gen::element(Order::by_index, Order::by_score),
          .nan = *rc::gen::element(Nan::lowest, Nan::highest)};
}
std::int64_t any_width() { return *rc::gen::inRange<std::int64_t>(1, 700); }

// The score of a position, as a number whose order is the contract's; NaN above all under Nan::highest, else below.
double ordered(float score, Nan nan) {
  if (score != score) return nan == Nan::highest ? 1e300 : -1e300;
  return std::clamp<double>(score, -1e299, 1e299);
}

RC_GTEST_PROP(SelectProperty, EqualsTheOracle, ()) {
  const std::int64_t width = any_width();
  const Shape shape = any_shape(width);
  const Floats scores = any_scores(width);
  const Selected selected = select_whole(shape, bytes_of(scores));
  Selected expected = selected;
  std::fill(expected.indices.begin(), expected.indices.end(), 77);
  oracle_select(
      shape, {.scores = scores.data(), .stride = width},
      {.indices = expected.indices.data(), .scores = expected.scores.data(), .counts = expected.counts.data()});
  RC_ASSERT(selected.indices == expected.indices);
  RC_ASSERT(selected.scores == expected.scores);
  RC_ASSERT(selected.counts == expected.counts);
}

RC_GTEST_PROP(SelectProperty, KeepsItsScoresWhenPositionsArePermuted, ()) {
  const std::int64_t width = any_width();
  Shape shape = any_shape(width);
  shape.order = Order::by_score;
  Floats scores = any_scores(width);
  const Selected before = select_whole(shape, bytes_of(scores));
  std::vector<double> ranks_before, ranks_after;
  for (std::int32_t i = 0; i < before.counts[0]; ++i)
    ranks_before.push_back(ordered(scores[before.indices[i]], shape.nan));
  const auto keys = *rc::gen::container<std::vector<std::uint32_t>>(static_cast<std::size_t>(width),
                                                                    rc::gen::arbitrary<std::uint32_t>());
  for (std::int64_t i = width - 1; i > 0; --i)
    std::swap(scores[i], scores[keys[i] % static_cast<std::uint32_t>(i + 1)]);
  const Selected after = select_whole(shape, bytes_of(scores));
  for (std::int32_t i = 0; i < after.counts[0]; ++i)
    ranks_after.push_back(ordered(scores[after.indices[i]], shape.nan));
  RC_ASSERT(ranks_before == ranks_after);
}

RC_GTEST_PROP(SelectProperty, IgnoresTheOrderOfWhatWasNotSelected, ()) {
  const std::int64_t width = any_width();
  Shape shape = any_shape(width);
  shape.k = std::min(shape.k, width);
  Floats scores = any_scores(width);
  const Selected before = select_whole(shape, bytes_of(scores));
  // The rest is permuted among the positions after the last one selected, where no tie can gain by it.
  const std::int32_t last = *std::max_element(before.indices.begin(), before.indices.begin() + before.counts[0]);
  std::reverse(scores.begin() + last + 1, scores.end());
  RC_ASSERT(select_whole(shape, bytes_of(scores)) == before);
}

RC_GTEST_PROP(SelectProperty, IsUnchangedByAMapThatKeepsTheOrder, ()) {
  const std::int64_t width = any_width();
  const Shape shape = any_shape(width);
  Floats scores = any_scores(width);
  // Small whole numbers: the map below is exact on them, and strictly increasing.
  for (float& score : scores) score = static_cast<float>(std::bit_cast<std::uint32_t>(score) % 1000);
  Floats mapped = scores;
  for (float& score : mapped) score = score * 8 - 4096;
  RC_ASSERT(select_whole(shape, bytes_of(scores)).indices == select_whole(shape, bytes_of(mapped)).indices);
}

RC_GTEST_PROP(SelectProperty, OfKIsAPrefixOfThatOfKPlusOne, ()) {
  const std::int64_t width = any_width();
  Shape shape = any_shape(width);
  shape.order = Order::by_score;
  const auto scores = bytes_of(any_scores(width));
  const Selected fewer = select_whole(shape, scores);
  ++shape.k;
  const Selected more = select_whole(shape, scores);
  RC_ASSERT(std::equal(fewer.indices.begin(), fewer.indices.begin() + fewer.counts[0], more.indices.begin()));
}

RC_GTEST_PROP(SelectProperty, ByScoreIsSortedAndByIndexAscends, ()) {
  const std::int64_t width = any_width();
  const Shape shape = any_shape(width);
  const Floats scores = any_scores(width);
  const Selected selected = select_whole(shape, bytes_of(scores));
  for (std::int32_t i = 1; i < selected.counts[0]; ++i) {
    const std::int32_t a = selected.indices[i - 1], b = selected.indices[i];
    const double rank_a = ordered(scores[a], shape.nan), rank_b = ordered(scores[b], shape.nan);
    if (shape.order == Order::by_index) RC_ASSERT(a < b);
    if (shape.order == Order::by_score) RC_ASSERT(rank_a > rank_b || (rank_a == rank_b && a < b));
  }
}

RC_GTEST_PROP(SelectProperty, OfHalvesEqualsThatOfTheirFloats, ()) {
  const std::int64_t width = any_width();
  Shape shape = any_shape(width);
  const Shape single = shape;
  shape.scores = *rc::gen::element(ScoreType::f16, ScoreType::bf16);
  const auto halves = *rc::gen::container<std::vector<std::uint16_t>>(static_cast<std::size_t>(width),
                                                                      rc::gen::arbitrary<std::uint16_t>());
  Floats floats;
  for (std::uint16_t half : halves) floats.push_back(static_cast<float>(value_of_bits(half, shape.scores)));
  RC_ASSERT(select_whole(shape, bytes_of(halves.data(), halves.size() * 2)).indices ==
            select_whole(single, bytes_of(floats)).indices);
}

RC_GTEST_PROP(MergeProperty, OfShardsEqualsTheWholeBitForBit, ()) {
  const std::int64_t width = any_width();
  const Shape shape = any_shape(width);
  const auto scores = bytes_of(any_scores(width));
  auto bounds = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, width + 1));
  bounds.push_back(0);
  bounds.push_back(width);
  std::sort(bounds.begin(), bounds.end());
  RC_ASSERT(select_sharded(shape, scores, bounds) == select_whole(shape, scores));
}

}  // namespace
}  // namespace tamis::testing
