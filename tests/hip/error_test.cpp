// Every function of the runtime fails once: the call says which and why, and the next one works. Each failure has a
// device of its own, since kernels are loaded once.

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "hip/host.hpp"

namespace tamis::testing {
namespace {

struct Failure {
  const char* function;
  const char* doing;  // as the status has it
};

void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.function; }

class HipErrors : public ::testing::TestWithParam<std::tuple<int, Failure>> {
 protected:
  void fail(const char* function) { *double_state() = {.fails = function, .error = 719, .calls = {}, .launches = {}}; }
  void succeed() { double_state()->fails.clear(); }
  void TearDown() override { succeed(); }
};

TEST_P(HipErrors, BecomeTheStatusOfTheCallAndPass) {
  const auto& [ordinal, failure] = GetParam();
  const Device device = hip_device(ordinal);
  const Shape shape{.rows = 1, .width = 8, .k = 4};
  const Plan planned = plan(shape, device).value;
  ASSERT_EQ(planned.workspace_bytes(), 0u);
  const std::vector<float> scores(8);
  std::vector<std::int32_t> indices(4);
  const Rows rows{.scores = scores.data(), .stride = 8};
  fail(failure.function);
  const Status status = select(planned, rows, {.indices = indices.data()}, {});
  EXPECT_EQ(status.code, Code::backend_error);
  EXPECT_NE(status.message.find("HIP: "), std::string::npos) << status.message;
  EXPECT_NE(status.message.find(failure.doing), std::string::npos) << status.message;
  // A module that lacks a kernel is let go of again.
  const bool lacks = failure.function == std::string_view("hipModuleGetFunction");
  EXPECT_EQ(std::ranges::count(double_state()->calls, "hipModuleUnload"), lacks ? 1 : 0);
  succeed();
  EXPECT_TRUE(select(planned, rows, {.indices = indices.data()}, {}).ok());
  EXPECT_EQ(indices, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

INSTANTIATE_TEST_SUITE_P(Functions, HipErrors,
                         ::testing::Values(std::tuple{2, Failure{"hipGetDevice", "choosing the device"}},
                                           std::tuple{3, Failure{"hipSetDevice", "choosing the device"}},
                                           std::tuple{4,
                                                      Failure{"hipModuleLoadData", "loading the kernels for gfx942"}},
                                           std::tuple{5, Failure{"hipModuleGetFunction", "looking for kernel tamis_"}},
                                           std::tuple{6, Failure{"hipModuleLaunchKernel", "launching a kernel"}}));

TEST_F(HipErrors, OfMemoryAndStreamsAreTold) {
  const detail::BackendEntry& backend = hip_backend();
  fail("hipMalloc");
  EXPECT_EQ(backend.memory.allocate(64), nullptr);
  succeed();
  void* data = backend.memory.allocate(64);
  ASSERT_NE(data, nullptr);
  char host[64] = {};
  fail("hipMemcpy");
  EXPECT_EQ(backend.memory.write(data, host, 64).code, Code::backend_error);
  EXPECT_NE(backend.memory.read(host, data, 64).message.find("copying from the device"), std::string::npos);
  fail("hipStreamSynchronize");
  EXPECT_NE(backend.synchronize({}).message.find("running kernels"), std::string::npos);
  succeed();
  EXPECT_TRUE(backend.memory.write(data, host, 64).ok());
  EXPECT_TRUE(backend.synchronize({}).ok());
  backend.memory.release(data);
}

}  // namespace
}  // namespace tamis::testing
