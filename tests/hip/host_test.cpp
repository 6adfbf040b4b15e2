// What the HIP backend asks of the runtime: devices, modules, launches, streams. The double answers, and runs what is
// launched, so that selections are judged too.

#include "hip/host.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/catalog.hpp"

namespace tamis::testing {
namespace {

std::ptrdiff_t calls_of(const char* function) {
  const std::vector<std::string>& calls = double_state()->calls;
  return std::count(calls.begin(), calls.end(), function);
}

TEST(HipDevices, AreAsTheRuntimeDescribesThem) {
  const Result<std::vector<Device>> found = devices(Backend::hip);
  ASSERT_TRUE(found.ok()) << found.status.message;
  ASSERT_GE(found.value.size(), 2u);
  Device known = known_device("mi300x").value;
  for (std::size_t i = 0; i < found.value.size(); ++i) {
    known.ordinal = static_cast<std::int32_t>(i);
    known.bytes_per_second = found.value[i].bytes_per_second;  // a clock in kHz
    EXPECT_EQ(found.value[i], known);
  }
  EXPECT_NEAR(static_cast<double>(known.bytes_per_second), 5.3e12, 1e9);
}

TEST(HipDevices, ArePlannedForAsTheDeviceKnownByNameIs) {
  const Shape shape{.rows = 64, .width = 131072, .k = 2048};
  const Plan here = plan(shape, hip_device(0)).value, known = plan(shape, known_device("mi300x").value).value;
  EXPECT_EQ(here.launches(), known.launches());
  EXPECT_EQ(here.workspace_bytes(), known.workspace_bytes());
}

TEST(HipLaunches, AreThePlansAndExact) {
  double_state()->launches.clear();
  EXPECT_EQ(run_small(hip_device(0)), "");
  const Plan planned = plan(small_case().shape, hip_device(0)).value;
  ASSERT_EQ(double_state()->launches.size(), planned.launches().size());
  for (std::size_t i = 0; i < planned.launches().size(); ++i) {
    const Launch& wanted = planned.launches()[i];
    const DoubleLaunch& made = double_state()->launches[i];
    EXPECT_EQ(made.kernel, "tamis_" + wanted.kernel);
    EXPECT_EQ(made.blocks, wanted.blocks);
    EXPECT_EQ(made.threads, wanted.threads);
    EXPECT_EQ(made.shared_bytes, wanted.shared_bytes - kernels::find_instance(wanted.kernel)->shared_bytes);
  }
}

// A row split over many blocks: two launches, the second of which finishes.
TEST(HipLaunches, OfFewLongRowsAreExact) {
  Case c{.sentence = "Host", .name = "long", .shape = {.rows = 2, .width = 70000, .k = 600}};
  c.mapping = Mapping::paged;
  double_state()->launches.clear();
  EXPECT_EQ(run(prepare(c), Machine{"hip", hip_device(0), Stream()}), "");
  ASSERT_EQ(double_state()->launches.size(), 2u);
  EXPECT_EQ(double_state()->launches[1].kernel, "tamis_wide_split_f32");
}

TEST(HipLaunches, LoadTheKernelsOfADeviceOnce) {
  EXPECT_EQ(run_small(hip_device(1)), "");
  const std::ptrdiff_t loads = calls_of("hipModuleLoadData");
  EXPECT_EQ(run_small(hip_device(1)), "");
  EXPECT_EQ(calls_of("hipModuleLoadData"), loads);
}

TEST(HipLaunches, GoToTheStreamGiven) {
  auto* create = reinterpret_cast<hip::Error (*)(hip::StreamHandle*)>(runtime_function("hipStreamCreate"));
  auto* destroy = reinterpret_cast<hip::Error (*)(hip::StreamHandle)>(runtime_function("hipStreamDestroy"));
  hip::StreamHandle stream = nullptr;
  ASSERT_EQ(create(&stream), hip::success);
  EXPECT_EQ(run_small(hip_device(0), Stream(stream)), "");
  EXPECT_EQ(double_state()->launches.back().stream, stream);
  EXPECT_EQ(destroy(stream), hip::success);
}

TEST(HipLaunches, LeaveTheThreadsDeviceAsItWas) {
  auto* current = reinterpret_cast<hip::Error (*)(int*)>(runtime_function("hipGetDevice"));
  auto* choose = reinterpret_cast<hip::Error (*)(int)>(runtime_function("hipSetDevice"));
  for (const int before : {1, 0}) {
    ASSERT_EQ(choose(before), hip::success);
    EXPECT_EQ(run_small(hip_device(1)), "");
    int after = -1;
    ASSERT_EQ(current(&after), hip::success);
    EXPECT_EQ(after, before);
  }
}

// Of a device as another runtime describes it: more of it than is here must not be launched.
TEST(HipLaunches, RefuseAPlanOfAGreaterDevice) {
  Device greater = hip_device(0);
  greater.shared_bytes_per_block *= 2;
  const std::string wrong = run_small(greater);
  EXPECT_NE(wrong.find("which has more than device 0, mi300x"), std::string::npos) << wrong;
  Device absent = hip_device(0);
  absent.ordinal = 99;
  EXPECT_NE(run_small(absent).find("plan's device has ordinal 99; this machine has"), std::string::npos);
}

}  // namespace
}  // namespace tamis::testing
