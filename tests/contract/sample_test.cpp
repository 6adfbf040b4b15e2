// A method that judges a row by a sample, or by the columns so far, must notice when they misled it. Here the first
// half holds more good scores than a buffer does, and the best ones, fewer than k, stand in a few runs of the second
// half: a sample of the rest that meets one of the runs promises far more than there is.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::testing {
namespace {

constexpr std::int64_t width = std::int64_t{1} << 23, k = 2048, runs = 120, run = 16;

struct LongRow {
  std::mt19937_64 random{11};
  std::vector<float> scores = std::vector<float>(width);

  LongRow() {
    for (std::int64_t i = 0; i < width; ++i) scores[i] = (i < width / 2 ? 1.0f : 0.0f) + unit();
  }
  float unit() { return static_cast<float>(random() >> 40) * 0x1p-24f; }

  // Draws where the runs stand, writes them, and returns what stood there.
  std::vector<std::pair<std::int64_t, float>> place_runs() {
    std::vector<std::pair<std::int64_t, float>> before;
    for (std::int64_t i = 0; i < runs; ++i) {
      const std::int64_t first = width / 2 + static_cast<std::int64_t>(random() % (width / 2 / run)) * run;
      for (std::int64_t j = first; j < first + run; ++j) before.emplace_back(j, std::exchange(scores[j], 100 + unit()));
    }
    std::reverse(before.begin(), before.end());  // runs may meet: the first write is undone last
    return before;
  }
};

TEST(Select, NoticesThatASampleMisledIt) {
  LongRow row;
  const Shape shape{.rows = 1, .width = width, .k = k};
  const Plan made = plan(shape, cpu_device()).value;
  std::vector<std::byte> workspace(made.workspace_bytes());
  std::vector<std::int32_t> indices(k);
  for (int i = 0; i < 30; ++i) {
    const auto before = row.place_runs();
    const Rows rows{.scores = row.scores.data(), .stride = width};
    ASSERT_TRUE(select(made, rows, {.indices = indices.data()}, {workspace.data(), workspace.size()}).ok());
    ASSERT_EQ(verify(shape, rows, {.indices = indices.data()}).value.message, "") << "row " << i;
    for (const auto& [position, score] : before) row.scores[position] = score;
  }
}

}  // namespace
}  // namespace tamis::testing
