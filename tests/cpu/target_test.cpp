// Every instruction set that this machine runs selects exactly, on every pattern.

#include <gmock/gmock.h>
#include <hwy/targets.h>

#include "tamis/workload.hpp"
#include "trial.hpp"

namespace tamis::test {
namespace {

// The instruction sets of this machine, one bit each.
std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> result;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) result.push_back(rest & -rest);
  return result;
}

class EveryTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(0); }

 private:
  static void use(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

void expect_exact(const Trial& trial) { EXPECT_EQ(run(trial).complaint, "") << describe(trial); }

constexpr ScoreType types[] = {ScoreType::f32, ScoreType::f16, ScoreType::bf16};

TEST_P(EveryTarget, SelectsExactlyOnEveryPattern) {
  for (const auto& pattern : workload::patterns())
    for (const ScoreType type : types)
      for (const Nan nan : {Nan::lowest, Nan::highest})
        expect_exact(
            {.shape = {.rows = 2, .width = 40009, .k = 700, .scores = type, .nan = nan}, .pattern = pattern.name});
}

TEST_P(EveryTarget, SelectsExactlyInEveryOrder) {
  for (const auto& pattern : workload::patterns())
    for (const Order order : {Order::any, Order::by_index, Order::by_score})
      for (const ScoreType type : types)
        expect_exact(
            {.shape = {.rows = 2, .width = 9001, .k = 512, .scores = type, .order = order}, .pattern = pattern.name});
}

TEST_P(EveryTarget, SelectsExactlyAtEveryLengthAroundTheVectorAndTheBlock) {
  for (const ScoreType type : types)
    for (const std::int64_t around : {4, 16, 32, 64, 1024, 2048})
      for (std::int64_t width = around - 3; width <= around + 3; ++width)
        for (const std::int64_t k :
             {std::int64_t{1}, width / 2 + 1, std::max<std::int64_t>(width - 1, 1), width, width + 1})
          expect_exact({.shape = {.rows = 3, .width = width, .k = k, .scores = type}, .pattern = "levels"});
}

INSTANTIATE_TEST_SUITE_P(Cpu, EveryTarget, testing::ValuesIn(targets()),
                         [](const auto& of) { return std::string(hwy::TargetName(of.param)); });

// Rows too long for the buffer, whose scores defeat the sample or make every candidate survive.
TEST(Buffer, IsSettledWhenItOverflows) {
  for (const auto& pattern : workload::patterns())
    for (const std::int64_t k : {1, 2048, 30000})
      expect_exact({.shape = {.rows = 3, .width = 131072, .k = k}, .pattern = pattern.name, .seed = 7});
}

}  // namespace
}  // namespace tamis::test
