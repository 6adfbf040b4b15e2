// An error that another kernel left on the device becomes a status; nothing aborts.

#include <cuda_runtime_api.h>

#include "disturbances.hpp"
#include "job.hpp"

namespace tamis::testing {
namespace {

TEST(ErrorsOfOthers, BecomeAStatus) {
  TAMIS_NEEDS_DEVICE();
  Job job({.sentence = "error", .name = "sticky", .shape = {.rows = 1, .width = 4096, .k = 64}});
  ASSERT_EQ(fault(nullptr), cudaSuccess);
  EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
  const Status status = job.enqueue();
  EXPECT_EQ(status.code, Code::backend_error);
  EXPECT_NE(status.message.find("CUDA"), std::string::npos) << status.message;
}

}  // namespace
}  // namespace tamis::testing
