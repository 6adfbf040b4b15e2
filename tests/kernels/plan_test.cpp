// Plans for GPUs that are not here: every method, on every device that is known and on poor ones, stays within what the
// device allows, and its workspace within rows and k.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "kernels/catalog.hpp"
#include "plan/gpu.hpp"

namespace tamis {
namespace {

std::vector<Device> gpus() {
  std::vector<Device> list;
  for (const Device& device : known_devices())
    if (device.backend != Backend::cpu) list.push_back(device);
  list.push_back(emulated_device(64));
  Device slice = known_device("h200").value;
  slice.name = "slice";
  slice.units = 16;
  slice.max_cluster_blocks = 0;
  slice.shared_bytes_per_block = 99 * 1024;
  list.push_back(slice);
  for (const char* name : {"emulated", "h200"}) {
    list.push_back(known_device(name).value);
    list.back().max_threads_per_block = 512;
  }
  return list;
}

std::vector<Shape> shapes() {
  std::vector<Shape> list;
  for (std::int64_t rows : {0, 1, 5, 64, 4096, 70000})
    for (std::int64_t width : {0, 1, 2048, 40000, 131072, 2147483647})
      for (std::int64_t k : {1, 2048, 100000, 2147483647})
        for (Order order : {Order::any, Order::by_index, Order::by_score})
          list.push_back({.rows = rows,
                          .width = width,
                          .k = k,
                          .scores = rows % 2 ? ScoreType::f32 : ScoreType::bf16,
                          .order = order});
  return list;
}

std::vector<Plan> plans_of(const Shape& shape, const Device& device) {
  std::vector<Plan> list{plan(shape, device).value};
  for (const detail::GpuMethod& method : detail::gpu_methods(device))
    if (Result<Plan> forced = detail::plan_with_method(shape, device, method.name); forced.ok())
      list.push_back(forced.value);
  return list;
}

// What is wrong with a launch on a device; empty when nothing is.
std::string misfit(const Launch& launch, const Device& device) {
  const kernels::Instance* kernel = kernels::find_instance(launch.kernel);
  if (kernel == nullptr) return "no such kernel";
  if (launch.threads != kernel->threads || launch.threads > device.max_threads_per_block) return "threads";
  if (launch.cluster != kernel->cluster || launch.cluster > std::max(1, device.max_cluster_blocks)) return "cluster";
  if (launch.shared_bytes > device.shared_bytes_per_block) return "shared memory";
  if (launch.blocks < 1 || launch.blocks > std::numeric_limits<std::int32_t>::max()) return "blocks";
  return launch.blocks % launch.cluster == 0 ? "" : "blocks are no whole clusters";
}

TEST(GpuPlans, StayWithinWhatTheDeviceAllows) {
  for (const Device& device : gpus())
    for (const Shape& shape : shapes())
      for (const Plan& made : plans_of(shape, device)) {
        ASSERT_FALSE(made.launches().empty());
        for (const Launch& launch : made.launches())
          ASSERT_EQ(misfit(launch, device), "") << made.text() << launch.kernel << " on " << device.name;
      }
}

TEST(GpuPlans, HaveAWorkspaceBoundedByRowsAndK) {
  const Device device = known_device("h200").value;
  for (const std::int64_t rows : {1, 16, 1024})
    for (const std::int64_t k : {1, 512, 2048})
      for (const detail::GpuMethod& method : detail::gpu_methods(device)) {
        std::size_t most = 0;
        for (const std::int64_t width : {1 << 20, 1 << 24, 1 << 30}) {
          const Shape shape{.rows = rows, .width = width, .k = k, .order = Order::by_score};
          if (const Result<Plan> made = detail::plan_with_method(shape, device, method.name); made.ok())
            most = std::max(most, made.value.workspace_bytes());
        }
        // A row has at most 256 lists of 8 k bytes, and 12 k bytes to be sorted in.
        EXPECT_LE(most, static_cast<std::size_t>(rows * (256 * (8 * k + 4) + 12 * k + 512) + 512)) << method.name;
      }
}

TEST(GpuPlans, DoNotDependOnWhichOfSeveralEqualDevicesIsMeant) {
  Device first = known_device("h200").value, second = first;
  second.ordinal = 1;
  for (const Shape& shape : shapes()) {
    const Plan a = plan(shape, first).value, b = plan(shape, second).value;
    EXPECT_TRUE(a.method() == b.method() && a.launches() == b.launches() && a.workspace_bytes() == b.workspace_bytes());
  }
}

TEST(GpuPlans, RefuseAMethodThatIsNotPossible) {
  Device device = known_device("a100").value;
  const Shape shape{.rows = 1, .width = 4096, .k = 16};
  EXPECT_EQ(detail::plan_with_method(shape, device, "cluster_row").status.code, Code::invalid_argument);
  EXPECT_EQ(detail::plan_with_method(shape, device, "whole_row").status.code, Code::invalid_argument);
  EXPECT_EQ(detail::plan_with_method(shape, device, "merge").status.code, Code::invalid_argument);
  EXPECT_EQ(detail::plan_with_method(shape, device, "no such").status.code, Code::invalid_argument);
}

}  // namespace
}  // namespace tamis
