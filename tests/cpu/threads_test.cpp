// Threads change the time, never the selection.

#include <gmock/gmock.h>

#include <stdexcept>
#include <thread>

#include "trial.hpp"

namespace tamis::test {
namespace {

TEST(Threads, ManyOrFewSelectTheSameRows) {
  Trial trial{.shape = {.rows = 9, .width = 20000, .k = 300, .order = Order::by_score}, .pattern = "levels"};
  const Outcome one = run(trial);
  for (const std::int32_t planned : {2, 4, 16})
    for (const std::int32_t threads : {1, 2, 5, 20}) {
      trial.planned = planned;
      trial.threads = threads;
      const Outcome many = run(trial);
      EXPECT_EQ(many.complaint, "") << describe(trial);
      EXPECT_EQ(many.indices, one.indices) << describe(trial);
    }
}

TEST(Threads, OneLongRowIsSplitAndSelectedTheSame) {
  for (const std::string_view pattern : {"normal", "equal", "levels", "sorted", "reverse", "nan", "hot_tail"})
    for (const std::int64_t k : {1, 2048, 50000}) {
      Trial trial{.shape = {.rows = 2, .width = 300000, .k = k}, .pattern = pattern};
      const Outcome one = run(trial);
      EXPECT_EQ(one.complaint, "") << describe(trial);
      trial.planned = 13;
      trial.threads = 3;
      const Outcome split = run(trial);
      EXPECT_EQ(split.complaint, "") << describe(trial);
      EXPECT_EQ(split.indices, one.indices) << describe(trial);
    }
}

TEST(Threads, ASplitRowMayBeShortEmptyOrOutOfRange) {
  for (const std::int32_t length : {-1, 0, 1, 499, 500, 501, 32768, 32769, 100000, 300000, 300001})
    for (const std::int32_t start : {-1, 0, 77, 299999, 300000, 300001}) {
      const Trial trial{.shape = {.rows = 1, .width = 300000, .k = 500, .order = Order::by_score},
                        .lengths = {length},
                        .starts = {start},
                        .planned = 8,
                        .threads = 2};
      EXPECT_EQ(run(trial).complaint, "") << describe(trial) << " length " << length << " start " << start;
    }
}

TEST(Threads, CallsThatShareThemTakeTurns) {
  const Shape shape{.rows = 8, .width = 5000, .k = 100};
  const Plan planned = plan(shape, cpu_device(4)).value;
  std::vector<float> scores(shape.rows * shape.width);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<float>(i * 2654435761u % 10007);
  Threads threads(3);
  std::vector<std::vector<std::int32_t>> results(4, std::vector<std::int32_t>(shape.rows * shape.k));
  const auto caller = [&](std::vector<std::int32_t>& indices) {
    std::vector<std::byte> scratch(planned.workspace_bytes());
    for (int i = 0; i < 20; ++i)
      ASSERT_TRUE(select(planned, {.scores = scores.data(), .stride = shape.width}, {.indices = indices.data()},
                         {scratch.data(), scratch.size()}, Stream(threads))
                      .ok());
  };
  std::vector<std::thread> callers;
  for (auto& result : results) callers.emplace_back(caller, std::ref(result));
  for (auto& thread : callers) thread.join();
  EXPECT_THAT(results, testing::Each(results[0]));
  EXPECT_GT(results[0][1], results[0][0]);
}

TEST(Threads, CountIsWhatWasAskedFor) {
  EXPECT_EQ(Threads(1).count(), 1);
  EXPECT_EQ(Threads(7).count(), 7);
  EXPECT_THROW(Threads(0), std::invalid_argument);
}

}  // namespace
}  // namespace tamis::test
