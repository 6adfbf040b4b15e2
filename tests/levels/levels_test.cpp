// Every level of examples/levels on the emulator, in both widths of a warp and under several schedules, judged by
// verify: rows of every score pattern and of mixed lengths, some longer than what is kept on chip.

#include "levels/levels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simt/host.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

constexpr int rows = 7, width = 1200, k = 60;
constexpr int tail_bytes = 4096;  // 1024 keys, so that the longest rows do not fit

struct Trial {
  std::vector<std::uint32_t> scores = std::vector<std::uint32_t>(rows * width);
  std::vector<std::int32_t> lengths{width, 1024, 0, k + 1, -1, k, 700};
  std::vector<std::int32_t> indices = std::vector<std::int32_t>(rows * k, 77);

  Trial(std::string_view pattern, std::uint64_t seed) {
    const workload::Target target{scores.data(), ScoreType::f32, rows, width, width};
    EXPECT_TRUE(workload::generate(pattern, seed, target).ok());
  }

  levels::Arguments arguments() { return {scores.data(), lengths.data(), rows, width, k, indices.data(), tail_bytes}; }

  std::string wrong() {
    const Shape shape{.rows = rows, .width = width, .k = k};
    const auto report = verify(shape, {.scores = scores.data(), .stride = width, .lengths = lengths.data()},
                               {.indices = indices.data()});
    return report.ok() ? report.value.message : report.status.message;
  }
};

using Runner = simt::host::Report (*)(const levels::Arguments& arguments, const simt::host::Schedule& schedule);

template <class Level, class Block>
simt::host::Report launch(const levels::Arguments& arguments, const simt::host::Schedule& schedule) {
  const simt::host::Grid grid{
      .blocks = 3 * Block::cluster_size, .shared_bytes = 16 * 1024 + tail_bytes, .shared_limit = 65536};
  return simt::host::launch<Level, Block>(grid, arguments, schedule);
}

struct Level {
  const char* name;
  Runner runners[2];  // 32 and 64 lanes
};

#define TAMIS_LEVEL(name, threads, cluster, kernel)                       \
  Level{#name,                                                            \
        {launch<levels::kernel, simt::host::Block<threads, 32, cluster>>, \
         launch<levels::kernel, simt::host::Block<threads, 64, cluster>>}},
const Level list[] = {TAMIS_LEVELS(TAMIS_LEVEL)};

class Levels : public ::testing::TestWithParam<Level> {};

TEST_P(Levels, SelectExactlyTheFirstN) {
  std::uint64_t seed = 0;
  for (const workload::Pattern& pattern : workload::patterns())
    for (const Runner runner : GetParam().runners) {
      Trial trial(pattern.name, ++seed);
      ASSERT_EQ(runner(trial.arguments(), simt::host::schedule_of(seed)).problem, "") << pattern.name;
      ASSERT_EQ(trial.wrong(), "") << pattern.name << ", schedule " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Ladder, Levels, ::testing::ValuesIn(list), [](const auto& level) { return level.param.name; });

}  // namespace
}  // namespace tamis::testing
