// Shards that each selected their own best merge to what one selection of the whole row gives, bit for bit.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "tamis/workload.hpp"

namespace tamis::test {
namespace {

struct Outputs {
  Outputs(std::int64_t rows, std::int64_t k) : indices(rows * k, 77), scores(rows * k, 77.0f), counts(rows, 77) {}

  Output output() { return {.indices = indices.data(), .scores = scores.data(), .counts = counts.data()}; }

  std::vector<std::int32_t> indices;
  std::vector<float> scores;
  std::vector<std::int32_t> counts;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void select_into(const Shape& shape, const float* scores, std::int64_t stride, const Output& output) {
  const Plan planned = plan(shape, cpu_device()).value;
  std::vector<std::byte> scratch(planned.workspace_bytes(), std::byte{0xa5});
  ASSERT_EQ(select(planned, {.scores = scores, .stride = stride}, output, {scratch.data(), scratch.size()}).message,
            "");
}

// What each of `shards` equal shards selected, lists reversed so that no order helps, positions made global.
struct Candidates {
  std::vector<float> scores;
  std::vector<std::int32_t> positions, counts;
};

Candidates select_shards(const Shape& shape, const std::vector<float>& scores, std::int64_t shards) {
  const std::int64_t entries = shards * shape.rows * shape.k;
  Candidates lists{std::vector<float>(entries), std::vector<std::int32_t>(entries),
                   std::vector<std::int32_t>(shards * shape.rows)};
  Shape of_shard = shape;
  of_shard.width = shape.width / shards;
  for (std::int64_t shard = 0; shard < shards; ++shard) {
    const std::int64_t at = shard * shape.rows * shape.k, first_column = shard * of_shard.width;
    select_into(of_shard, scores.data() + first_column, shape.width,
                {.indices = lists.positions.data() + at,
                 .scores = lists.scores.data() + at,
                 .counts = lists.counts.data() + shard * shape.rows});
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      const std::int64_t first = at + row * shape.k, last = first + lists.counts[shard * shape.rows + row];
      for (std::int64_t i = first; i < last; ++i) lists.positions[i] += static_cast<std::int32_t>(first_column);
      std::reverse(lists.positions.begin() + first, lists.positions.begin() + last);
      std::reverse(lists.scores.begin() + first, lists.scores.begin() + last);
    }
  }
  return lists;
}

void merge_into(const MergeShape& shape, const Candidates& lists, const Output& output) {
  const Plan planned = plan(shape, cpu_device(2)).value;
  std::vector<std::byte> scratch(planned.workspace_bytes(), std::byte{0x5a});
  const Lists input{.scores = lists.scores.data(), .positions = lists.positions.data(), .counts = lists.counts.data()};
  ASSERT_EQ(merge(planned, input, output, {scratch.data(), scratch.size()}).message, "");
}

void expect_merge_equals_select(std::string_view pattern, const Shape& shape, std::int64_t shards) {
  std::vector<float> scores(shape.rows * shape.width);
  ASSERT_TRUE(workload::generate(pattern, 3,
                                 {.scores = scores.data(),
                                  .type = ScoreType::f32,
                                  .rows = shape.rows,
                                  .width = shape.width,
                                  .stride = shape.width})
                  .ok());
  Outputs whole(shape.rows, shape.k), merged(shape.rows, shape.k);
  select_into(shape, scores.data(), shape.width, whole.output());
  merge_into(
      {.rows = shape.rows, .lists = shards, .capacity = shape.k, .k = shape.k, .order = shape.order, .nan = shape.nan},
      select_shards(shape, scores, shards), merged.output());
  EXPECT_EQ(merged.indices, whole.indices) << pattern;
  EXPECT_EQ(merged.counts, whole.counts) << pattern;
  EXPECT_TRUE(same_bits(merged.scores, whole.scores)) << pattern;
}

TEST(CpuMerge, AgreesWithOneSelectionOfTheWholeRow) {
  for (const auto& pattern : workload::patterns())
    for (const Order order : {Order::by_index, Order::by_score})
      for (const std::int64_t shards : {1, 3, 30})
        expect_merge_equals_select(pattern.name,
                                   {.rows = 2, .width = 60000, .k = 1000, .order = order, .nan = Nan::highest}, shards);
}

TEST(CpuMerge, ShardsShorterThanKGiveEverything) {
  expect_merge_equals_select("levels", {.rows = 3, .width = 90, .k = 64, .order = Order::by_score}, 9);
}

}  // namespace
}  // namespace tamis::test
