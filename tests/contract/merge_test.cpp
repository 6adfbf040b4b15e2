// Section 8 of the contract: shards merged agree with one rank that saw the whole row, bit for bit, ties included.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/shards.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

std::vector<std::byte> drawn(const Shape& shape, std::string_view pattern) {
  std::vector<std::byte> scores(shape.rows * shape.width * score_bytes(shape.scores));
  const workload::Target target{
      .scores = scores.data(), .type = shape.scores, .rows = shape.rows, .width = shape.width, .stride = shape.width};
  EXPECT_TRUE(workload::generate(pattern, 3, target).ok());
  return scores;
}

struct Whole : ::testing::TestWithParam<std::string_view> {};

// by_index, so that there is one right sequence; by_score likewise.
TEST_P(Whole, EqualsItsShardsMerged) {
  for (ScoreType type : {ScoreType::f32, ScoreType::f16, ScoreType::bf16})
    for (Order order : {Order::by_index, Order::by_score})
      for (Nan nan : {Nan::lowest, Nan::highest}) {
        const Shape shape{.rows = 4, .width = 5000, .k = 256, .scores = type, .order = order, .nan = nan};
        const auto scores = drawn(shape, GetParam());
        const Selected whole = select_whole(shape, scores);
        const std::vector<std::vector<std::int64_t>> splits = {{0, 5000},
                                                               {0, 2500, 5000},
                                                               {0, 1, 100, 356, 357, 5000},
                                                               {0, 0, 4990, 4990, 5000},
                                                               {0, 625, 1250, 1875, 2500, 3125, 3750, 4375, 5000}};
        for (const auto& bounds : splits)
          EXPECT_TRUE(select_sharded(shape, scores, bounds) == whole)
              << tamis::name(type) << ", " << bounds.size() - 1 << " shards";
      }
}

// More candidates than a buffer of the CPU backend holds: it is settled between lists.
TEST_P(Whole, EqualsThirtyLongShardsMerged) {
  for (Order order : {Order::by_index, Order::by_score}) {
    const Shape shape{.rows = 2, .width = 60000, .k = 1000, .order = order, .nan = Nan::highest};
    const auto scores = drawn(shape, GetParam());
    std::vector<std::int64_t> bounds;
    for (std::int64_t bound = 0; bound <= shape.width; bound += 2000) bounds.push_back(bound);
    EXPECT_TRUE(select_sharded(shape, scores, bounds) == select_whole(shape, scores));
  }
}

std::vector<std::string_view> pattern_names() {
  std::vector<std::string_view> names;
  for (const workload::Pattern& pattern : workload::patterns()) names.push_back(pattern.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Merge, Whole, ::testing::ValuesIn(pattern_names()),
                         [](const auto& param) { return std::string(param.param); });

// Two lists of one row by hand: the numbers below are the contract's, not the code's.
struct TwoLists {
  MergeShape shape{.rows = 1, .lists = 2, .capacity = 3, .k = 4, .order = Order::by_score};
  std::vector<float> scores = {1, 2, -std::numeric_limits<float>::infinity(), 2, 0.0f, -0.0f};
  std::vector<std::int32_t> positions = {9, 7, 1, 3, 12, 11};
  std::vector<std::int32_t> counts = {3, 3};
  std::vector<std::int32_t> indices = std::vector<std::int32_t>(4, 77);
  std::vector<std::int32_t> out_counts = std::vector<std::int32_t>(1, 77);
  Output output() { return {.indices = indices.data(), .counts = out_counts.data()}; }
  Lists lists() const { return {.scores = scores.data(), .positions = positions.data(), .counts = counts.data()}; }
  Status merge() {
    const Plan made = plan(shape, cpu_device()).value;
    std::vector<std::byte> workspace(made.workspace_bytes());
    return tamis::merge(made, lists(), output(), {workspace.data(), workspace.size()});
  }
};

TEST(Merge, TakesTheGlobalFirstNUnderTheStrictOrder) {
  TwoLists two;
  ASSERT_TRUE(two.merge().ok());
  EXPECT_EQ(two.indices, (std::vector<std::int32_t>{3, 7, 9, 11}));
  EXPECT_EQ(two.out_counts[0], 4);
}

TEST(Merge, TellsMinusInfinityFromPadding) {
  TwoLists two;
  two.counts = {3, 0};
  ASSERT_TRUE(two.merge().ok());
  EXPECT_EQ(two.indices, (std::vector<std::int32_t>{7, 9, 1, -1}));
  EXPECT_EQ(two.out_counts[0], 3);
}

TEST(Merge, ClampsCountsToTheCapacity) {
  TwoLists two;
  two.counts = {-5, 1000};
  ASSERT_TRUE(two.merge().ok());
  EXPECT_EQ(two.indices, (std::vector<std::int32_t>{3, 11, 12, -1}));
}

TEST(Merge, TakesListsAsFullWhereCountsAreAbsent) {
  TwoLists two;
  const Plan made = plan(two.shape, cpu_device()).value;
  std::vector<std::byte> workspace(made.workspace_bytes());
  Lists lists = two.lists();
  lists.counts = nullptr;
  ASSERT_TRUE(merge(made, lists, two.output(), {workspace.data(), workspace.size()}).ok());
  EXPECT_EQ(two.indices, (std::vector<std::int32_t>{3, 7, 9, 11}));
}

TEST(Merge, MapsGlobalPositions) {
  TwoLists two;
  const Plan made = plan(two.shape, cpu_device()).value;
  std::vector<std::byte> workspace(made.workspace_bytes());
  std::vector<std::int64_t> slots(4);
  const std::vector<std::int32_t> entries = {5, -1, 8};
  Faults faults;
  Output output{.slots = slots.data(),
                .slot_type = SlotType::i64,
                .mapping = Mapping::paged,
                .page_table = {.entries = entries.data(), .tables = 1, .columns = 3, .stride = 3, .page_size = 4},
                .faults = &faults};
  ASSERT_TRUE(merge(made, two.lists(), output, {workspace.data(), workspace.size()}).ok());
  EXPECT_EQ(slots, (std::vector<std::int64_t>{23, -1, 33, 35}));
  EXPECT_EQ(faults.page, (Fault{1, 0}));
}

TEST(Merge, ReadsListsAtAnyStride) {
  TwoLists two;
  const Plan made = plan(two.shape, cpu_device()).value;
  std::vector<std::byte> workspace(made.workspace_bytes());
  std::vector<float> scores(20, std::numeric_limits<float>::infinity());
  std::vector<std::int32_t> positions(20, 1000);
  for (int list = 0; list < 2; ++list)
    for (int i = 0; i < 3; ++i) {
      scores[list * 11 + i] = two.scores[list * 3 + i];
      positions[list * 11 + i] = two.positions[list * 3 + i];
    }
  const Lists lists{.scores = scores.data(), .positions = positions.data(), .list_stride = 11, .row_stride = 5};
  ASSERT_TRUE(merge(made, lists, two.output(), {workspace.data(), workspace.size()}).ok());
  EXPECT_EQ(two.indices, (std::vector<std::int32_t>{3, 7, 9, 11}));
}

TEST(Merge, RefusesListsThatNoAddressReaches) {
  constexpr std::int64_t most = 2147483647;
  const auto refused = [](const MergeShape& shape, Lists lists) {
    static const std::int32_t entry = 0;
    std::int32_t index = 77;
    lists.scores = lists.positions = &entry;
    const Plan made = plan(shape, emulated_device()).value;
    const Status status = merge(made, lists, {.indices = &index});
    EXPECT_EQ(status.code, Code::invalid_argument);
    EXPECT_EQ(index, 77);
    return status.message.substr(0, status.message.find(' '));
  };
  EXPECT_EQ(refused({.rows = most, .lists = 1, .capacity = most, .k = 1}, {}), "row_stride");
  EXPECT_EQ(refused({.rows = most, .lists = most, .capacity = 1, .k = 1}, {}), "list_stride");
  EXPECT_EQ(refused({.rows = 1, .lists = 2, .capacity = 1, .k = 1}, {.row_stride = INT64_MAX}), "list_stride");
  EXPECT_EQ(refused({.rows = 1, .lists = 2, .capacity = 1, .k = 1}, {.list_stride = INT64_MAX}), "list_stride");
}

TEST(Merge, RefusesAPlanOfASelection) {
  TwoLists two;
  const Plan made = plan(Shape{.rows = 1, .width = 6, .k = 4}, cpu_device()).value;
  EXPECT_EQ(merge(made, two.lists(), two.output(), {}).code, Code::plan_mismatch);
  EXPECT_EQ(two.indices, std::vector<std::int32_t>(4, 77));
}

}  // namespace
}  // namespace tamis::testing
