// The verifier judged: right outputs pass, and each corruption of one is reported with its finding, row and entry.
// Outputs come from the oracle, so that no selector is involved.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "contract/judged.hpp"

namespace tamis::testing {
namespace {

class CorruptedOutput : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CorruptedOutput, IsNamedByFindingRowAndEntry) {
  const Corruption& corruption = corruptions()[GetParam()];
  Judged judged;
  corruption.prepare(judged);
  judged.select();
  const auto clean = verify(judged.shape, judged.rows(), judged.output());
  ASSERT_TRUE(clean.ok()) << clean.status.message;
  ASSERT_TRUE(clean.value.exact()) << clean.value.message;

  const Verdict expected = corruption.corrupt(judged);
  const auto judgement = verify(judged.shape, judged.rows(), judged.output());
  ASSERT_TRUE(judgement.ok()) << judgement.status.message;
  const Report& report = judgement.value;
  EXPECT_EQ(report.rows, rows_count);
  EXPECT_EQ(report.wrong_rows, 1);
  EXPECT_EQ(name(report.finding), name(expected.finding)) << report.message;
  EXPECT_EQ(report.row, expected.row) << report.message;
  EXPECT_EQ(report.entry, expected.entry) << report.message;
  if (expected.position != unnamed) {
    EXPECT_EQ(report.position, expected.position) << report.message;
  }
  EXPECT_NE(report.message.find(name(expected.finding)), std::string::npos) << report.message;
}

INSTANTIATE_TEST_SUITE_P(Verify, CorruptedOutput, ::testing::Range<std::size_t>(0, corruptions().size()),
                         [](const auto& param) { return std::string(corruptions()[param.param].name); });

TEST(Verify, NamesTheFirstOfSeveralWrongRows) {
  Judged judged;
  judged.select();
  judged.counts[1] = 0;
  judged.indices[3 * k] = -1;
  judged.slots[4 * k] = -9;
  const Report report = verify(judged.shape, judged.rows(), judged.output()).value;
  EXPECT_EQ(report.wrong_rows, 3);
  EXPECT_EQ(report.row, 1);
  EXPECT_EQ(report.finding, Finding::wrong_count);
}

TEST(Verify, AcceptsAnyOfTheTiesWhereTheyAreFree) {
  Judged judged;
  judged.shape.ties = Ties::any;
  judged.shape.order = Order::any;
  judged.select();
  take_the_next(judged, middle, Finding::none);
  judged.swap_entries(middle, 0, k - 1);
  const Report report = verify(judged.shape, judged.rows(), judged.output()).value;
  EXPECT_TRUE(report.exact()) << report.message;
}

TEST(Verify, SurvivesWhateverTheOutputHolds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    Judged judged;
    judged.only(round % 2 == 0, round % 3 != 0, round % 5 < 3 || (round % 2 == 1 && round % 3 == 0));
    judged.mapping = static_cast<Mapping>(round % 3);
    judged.shape.ties = static_cast<Ties>(round / 3 % 2);
    for (auto& value : judged.indices) value = static_cast<std::int32_t>(random());
    for (auto& value : judged.slots) value = static_cast<std::int64_t>(random());
    for (auto& value : judged.out_scores) value = static_cast<float>(random());
    for (auto& value : judged.pages) value = static_cast<std::int32_t>(random());
    for (auto& value : judged.page_start) value = static_cast<std::int32_t>(random());
    const auto judgement = verify(judged.shape, judged.rows(), judged.output());
    ASSERT_TRUE(judgement.ok()) << judgement.status.message;
    EXPECT_EQ(judgement.value.wrong_rows, rows_count) << judgement.value.message;
  }
}

// k entries a row are looked at where they were written only: this would take hours.
TEST(Verify, JudgesCountsAloneAtAnyK) {
  const Shape shape{.rows = 4096, .width = 3, .k = 2147483647};
  const std::vector<float> scores(3, 1.0f);
  std::vector<std::int32_t> counts(4096, 3);
  const Report report = verify(shape, {.scores = scores.data()}, {.counts = counts.data()}).value;
  EXPECT_EQ(report.rows, 4096);
  EXPECT_TRUE(report.exact()) << report.message;
}

TEST(Verify, RefusesBadArgumentsByName) {
  Judged judged;
  judged.select();
  judged.shape.k = 0;
  EXPECT_EQ(verify(judged.shape, judged.rows(), judged.output()).status.code, Code::invalid_argument);
  judged.shape.k = k;
  const auto no_output = verify(judged.shape, judged.rows(), {});
  EXPECT_EQ(no_output.status.code, Code::invalid_argument);
  EXPECT_NE(no_output.status.message.find("indices"), std::string::npos) << no_output.status.message;
}

TEST(Verify, JudgesAWideRowExactly) {
  // Past one piece of the counting pass, in every type.
  constexpr std::int64_t wide = (1 << 20) + 5;
  for (ScoreType type : {ScoreType::f32, ScoreType::f16, ScoreType::bf16}) {
    std::vector<std::uint32_t> scores(wide, 0);
    std::vector<std::int32_t> indices = {0};
    const Shape shape{.rows = 1, .width = wide, .k = 1, .scores = type};
    const Rows rows{.scores = scores.data(), .stride = wide};
    EXPECT_TRUE(verify(shape, rows, {.indices = indices.data()}).value.exact());
    // Nothing but the last score is above 0.
    if (type == ScoreType::f32) scores[wide - 1] = 1;
    if (type != ScoreType::f32) reinterpret_cast<std::uint16_t*>(scores.data())[wide - 1] = 1;
    const Report report = verify(shape, rows, {.indices = indices.data()}).value;
    EXPECT_EQ(report.finding, Finding::not_best);
    EXPECT_EQ(report.position, wide - 1);
  }
}

}  // namespace
}  // namespace tamis::testing
