// Rows that clusters share, on emulated devices large enough that short rows are shared too. The list of cases meets
// clusters at long rows alone.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/runner.hpp"

namespace tamis::testing {
namespace {

// A device with the units of a large GPU: the planner gives few rows the largest clusters there are.
Device large_device(std::int32_t cluster) {
  Device device = emulated_device(32);
  device.units = 132;
  device.max_cluster_blocks = cluster;
  device.shared_bytes_per_block = 227 * 1024;
  return device;
}

Case shared_row(const std::string& pattern, std::int64_t width, std::int64_t k) {
  return {.sentence = "ASharedRowIsSelectedExactly",
          .name = fmt::format("{}_{}_k{}", pattern, width, k),
          .shape = {.rows = 3, .width = width, .k = k},
          .pattern = pattern,
          .lengths = {static_cast<std::int32_t>(width), static_cast<std::int32_t>(width - 700), 2900},
          .outputs = wanted::slots,
          .mapping = Mapping::paged};
}

class ASharedRow : public ::testing::TestWithParam<std::tuple<std::int32_t, const char*>> {};

TEST_P(ASharedRow, IsSelectedExactly) {
  const auto [cluster, method] = GetParam();
  const Device device = large_device(cluster);
  for (std::uint64_t seed : {1, 2})
    for (const char* pattern :
         {"normal", "relu", "equal", "levels", "sorted", "infinities", "mostly_masked", "nan", "random_bits"})
      for (std::int64_t k : {1, 500, 2048}) {
        const Machine machine{"shared", device, emulated_stream(seed), method, Schedules::one};
        const Case c = shared_row(pattern, 5003, k);
        EXPECT_EQ(run(prepare(c), machine), "") << c.name;
      }
}

INSTANTIATE_TEST_SUITE_P(Clusters, ASharedRow,
                         ::testing::Combine(::testing::Values(2, 8),
                                            ::testing::Values("register_row", "resident_row")));

TEST(ARowSharedByACluster, MayStartAnywhere) {
  Case c = shared_row("normal", 6001, 300);
  c.starts = {1, 2, 3};
  c.lengths = {5990, 4000, 3001};
  c.misalignment = 1;
  c.outputs = wanted::everything;
  EXPECT_EQ(run(prepare(c), {"shared", large_device(8), emulated_stream(7), "register_row", Schedules::one}), "");
}

// A block that holds a row alone looks for the few positions that it leaves out, from one to somewhat more than it does
// so for; rows of one number are written without looking at positions at all.
TEST(ARowOfWhichFewAreLeftOut, IsSelectedExactly) {
  for (std::uint64_t seed : {1, 2, 3})
    for (const char* pattern : {"normal", "equal", "levels", "sorted", "infinities", "nan", "random_bits"})
      for (std::int64_t k : {1901, 1900, 1898, 1897, 1896, 1890}) {
        Case c = shared_row(pattern, 1902, k);
        c.lengths = {1902, 1901, static_cast<std::int32_t>(k + 1)};
        EXPECT_EQ(run(prepare(c), {"alone", large_device(1), emulated_stream(seed), "register_row", Schedules::one}),
                  "")
            << c.name;
        c.starts = {0, 1, 0};
        c.lengths = {1902, 1901, 1900};
        c.outputs = wanted::everything;
        EXPECT_EQ(run(prepare(c), {"alone", large_device(1), emulated_stream(seed), "register_row", Schedules::one}),
                  "")
            << c.name << ", every output";
      }
}

// Blocks that write a row whole still wait for the copy they began, on a barrier that one thread initialises.
TEST(RowsKeptInSharedMemory, MayBeShorterThanKUnderAnySchedule) {
  Case c = shared_row("normal", 5003, 300);
  c.lengths = {300, 5, 0};
  c.outputs = wanted::slots;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(run(prepare(c), {"kept", large_device(8), emulated_stream(seed), "resident_row", Schedules::one}), "");
}

}  // namespace
}  // namespace tamis::testing
