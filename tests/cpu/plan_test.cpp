// The CPU plan says what will be done, and lends a workspace that rows and k bound.

#include <gmock/gmock.h>

#include "trial.hpp"

namespace tamis::test {
namespace {

Plan planned(const Shape& shape, std::int32_t threads) { return plan(shape, cpu_device(threads)).value; }

TEST(CpuPlan, NamesTheMethod) {
  EXPECT_EQ(planned({.rows = 64, .width = 131072, .k = 2048}, 4).method(), "cpu_filter");
  EXPECT_EQ(planned({.rows = 1, .width = 131072, .k = 2048}, 4).method(), "cpu_split");
  EXPECT_EQ(planned({.rows = 64, .width = 2048, .k = 2048}, 4).method(), "cpu_whole");
  EXPECT_EQ(plan(MergeShape{.rows = 1, .lists = 4, .capacity = 8, .k = 8}, cpu_device()).value.method(), "cpu_merge");
}

TEST(CpuPlan, WorkspaceDoesNotGrowWithTheWidth) {
  EXPECT_EQ(planned({.rows = 64, .width = 131072, .k = 2048}, 4).workspace_bytes(),
            planned({.rows = 64, .width = 2000000000, .k = 2048}, 4).workspace_bytes());
}

TEST(CpuPlan, RowsTakenWholeNeedNoWorkspaceUnlessSorted) {
  EXPECT_EQ(planned({.rows = 64, .width = 2048, .k = 9999}, 4).workspace_bytes(), 0u);
  EXPECT_GT(planned({.rows = 64, .width = 2048, .k = 9999, .order = Order::by_score}, 4).workspace_bytes(), 0u);
}

TEST(CpuPlan, NoMoreWorkersThanTasks) {
  const Shape shape{.rows = 2, .width = 3000, .k = 64};
  EXPECT_EQ(planned(shape, 2).workspace_bytes(), planned(shape, 64).workspace_bytes());
}

TEST(CpuPlan, TheWorkspaceMayLieAnywhere) {
  for (std::size_t misalignment = 0; misalignment < 64; misalignment += 7) {
    const Trial trial{
        .shape = {.rows = 3, .width = 70000, .k = 512}, .planned = 6, .threads = 2, .misalignment = misalignment};
    EXPECT_EQ(run(trial).complaint, "") << misalignment;
  }
}

TEST(CpuPlan, ExtremeNumbersPlanWithoutOverflow) {
  constexpr std::int64_t most = 2147483647;
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{1}, most})
    for (const std::int64_t width : {std::int64_t{0}, std::int64_t{1}, most})
      for (const std::int64_t k : {std::int64_t{1}, most})
        EXPECT_TRUE(
            plan(Shape{.rows = rows, .width = width, .k = k, .order = Order::by_score}, cpu_device(1 << 20)).ok());
}

}  // namespace
}  // namespace tamis::test
