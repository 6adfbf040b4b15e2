// Asking for devices: an answer on every machine, with or without a GPU and its driver.

#include "job.hpp"

namespace tamis::testing {
namespace {

TEST(Devices, AreNoneWithAReasonOnAMachineWithoutOne) {
  if (first_device() != nullptr) GTEST_SKIP() << "there is one";
  const Result<std::vector<Device>> found = devices(Backend::cuda);
  EXPECT_EQ(found.status.code, Code::no_device);
  EXPECT_NE(found.status.message, "");
  const float scores[4] = {1, 2, 3, 4};
  std::int32_t indices[2] = {7, 7};
  const Plan made = plan({.rows = 1, .width = 4, .k = 2}, known_device("h200").value).value;
  const Status status = select(made, {.scores = scores, .stride = 4}, {.indices = indices});
  EXPECT_EQ(status.code, Code::no_device) << status.message;
  EXPECT_EQ(indices[0], 7);
}

TEST(Devices, ThatAreNotHereAreRefused) {
  TAMIS_NEEDS_DEVICE();
  Device missing = *first_device();
  missing.ordinal = 1000;
  const Plan made = plan({.rows = 1, .width = 4, .k = 2}, missing).value;
  const Buffer scores(device_memory(), std::vector<std::byte>(16)), indices(device_memory(), std::vector<std::byte>(8));
  const Status status =
      select(made, {.scores = scores.data(), .stride = 4}, {.indices = static_cast<std::int32_t*>(indices.data())});
  EXPECT_EQ(status.code, Code::no_device) << status.message;
}

}  // namespace
}  // namespace tamis::testing
