// Plans for AMD's devices, which need not be here: what made the ROCm kernels that tamis follows fast, as properties.

#include <gtest/gtest.h>

#include "plan/gpu_wide.hpp"

namespace tamis {
namespace {

constexpr std::int64_t usual_k[] = {512, 1024, 2048};
constexpr std::int64_t widths[] = {2049, 8192, 16384, 32768, 65536, 131072, 262144, 1048576};

std::vector<Device> amd_devices() {
  std::vector<Device> list;
  for (const char* name : {"mi250x", "mi300x", "mi325x", "mi355x", "mi455x"}) list.push_back(known_device(name).value);
  return list;
}

// Calls check(shape, plan) for every usual shape on the device.
template <class Check>
void for_each_usual(const Device& device, Check check) {
  for (const std::int64_t rows : {1, 4, 16, 30, 64, 76, 128, 256, 4096})
    for (const std::int64_t width : widths)
      for (const std::int64_t k : usual_k) {
        const Shape shape{.rows = rows, .width = width, .k = k};
        const Plan made = plan(shape, device).value;
        SCOPED_TRACE(made.text());
        check(shape, made);
      }
}

TEST(AmdPlans, GiveARowSixteenWavefrontsOf64Lanes) {
  for (const Device& device : amd_devices())
    for_each_usual(device, [&](const Shape&, const Plan& made) {
      for (const Launch& launch : made.launches()) EXPECT_EQ(launch.threads, 1024);
      if (device.lanes == 64) {
        EXPECT_EQ(made.launches().back().threads / device.lanes, 16);
      }
    });
}

TEST(AmdPlans, NeverDropToOneBlockAUnitOfGfx950) {
  const Device device = known_device("mi355x").value;
  for_each_usual(device, [&](const Shape&, const Plan& made) {
    for (const Launch& launch : made.launches()) {
      EXPECT_GE(detail::blocks_a_unit(device, launch), 2);
      EXPECT_LE(launch.shared_bytes, 80 * 1024);
    }
  });
}

// A split row has a block a unit at the most, so that one may have all of a unit's shared memory.
TEST(AmdPlans, HoldTwoBlocksAUnitOfGfx942WhereEachRowHasOne) {
  for (const char* name : {"mi300x", "mi325x", "mi250x"}) {
    const Device device = known_device(name).value;
    for_each_usual(device, [&](const Shape&, const Plan& made) {
      if (made.method() != "wide_row") return;
      EXPECT_GE(detail::blocks_a_unit(device, made.launches()[0]), 2);
      EXPECT_LE(made.launches()[0].shared_bytes, 32 * 1024);
    });
  }
}

TEST(AmdPlans, SplitLongRowsFromOneUpToAQuarterOfTheUnits) {
  for (const Device& device : amd_devices())
    for (const std::int64_t width : {65536, 131072, 1048576})
      for (const std::int64_t k : usual_k) {
        for (const std::int64_t rows : {1, 2, 16, device.units / 4}) {
          const Plan made = plan({.rows = rows, .width = width, .k = k}, device).value;
          EXPECT_EQ(made.method(), "wide_split") << made.text();
          ASSERT_EQ(made.launches().size(), 2u);
          EXPECT_GE(made.launches()[1].blocks, 4 * rows);
          EXPECT_LE(made.launches()[1].blocks, device.units);
        }
        const std::int64_t many = device.units / 4 + 1;
        EXPECT_EQ(plan({.rows = many, .width = width, .k = k}, device).value.method(), "wide_row");
        EXPECT_EQ(plan({.rows = 1, .width = 32768, .k = k}, device).value.method(), "wide_row");
      }
}

TEST(AmdPlans, ReadARowOnceWhereItFitsAndLittleMoreOtherwise) {
  for (const Device& device : amd_devices())
    for_each_usual(device, [&](const Shape& shape, const Plan& made) {
      const std::string text = made.text();
      const double reads = std::stod(text.substr(text.find("reads      ") + 11));
      const bool fits = shape.width * 4 + 8352 + 64 <= device.shared_bytes_per_unit / 2;
      EXPECT_LE(reads, fits ? 1.0 : 1.25);
    });
}

TEST(AmdPlans, HaveNoWorkspaceUnlessRowsAreSplit) {
  for (const Device& device : amd_devices())
    for_each_usual(device, [&](const Shape& shape, const Plan& made) {
      const auto listed = static_cast<std::size_t>(shape.rows * (3 * std::max<std::int64_t>(shape.k, 683) * 8 + 64));
      EXPECT_LE(made.workspace_bytes(), made.method() == "wide_split" ? listed + 512 : 0);
    });
}

// A grid's threads are counted in 32 bits.
TEST(AmdPlans, StayWithinAGridOfThreads) {
  const Plan made = plan({.rows = 2147483647, .width = 4096, .k = 64}, known_device("mi300x").value).value;
  EXPECT_LT(made.launches()[0].blocks * made.launches()[0].threads, std::int64_t{1} << 32);
}

TEST(AmdPlans, KnowDevicesByTheirUnits) {
  EXPECT_EQ(known_device("mi300x").value.units, 304);
  EXPECT_EQ(known_device("mi325x").value.units, 304);
  EXPECT_EQ(known_device("mi355x").value.units, 256);
  EXPECT_EQ(known_device("mi355x").value.shared_bytes_per_block, 160 * 1024);
}

}  // namespace
}  // namespace tamis
