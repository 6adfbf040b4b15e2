// Streams: two at once, a late producer before a dependent launch, another kernel on most units, one workspace for
// several shapes.

#include <cuda_runtime_api.h>

#include <algorithm>

#include "disturbances.hpp"
#include "job.hpp"

namespace tamis::testing {
namespace {

constexpr long long millisecond = 2'000'000;  // in clock cycles of a GPU, roughly

class OwnStream {
 public:
  OwnStream() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
  ~OwnStream() { cudaStreamDestroy(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  cudaStream_t native() const { return stream_; }
  Stream stream() const { return Stream(stream_); }
  cudaError_t wait() const { return cudaStreamSynchronize(stream_); }

 private:
  cudaStream_t stream_ = nullptr;
};

Case a_case(std::int64_t rows, std::int64_t width, std::uint64_t seed, Order order = Order::any) {
  return {.sentence = "stream",
          .name = "case",
          .shape = {.rows = rows, .width = width, .k = 2048, .order = order},
          .seed = seed,
          .mapping = Mapping::paged};
}

class Streams : public ::testing::TestWithParam<std::string> {};

TEST_P(Streams, TwoAtOnceDoNotMeet) {
  TAMIS_NEEDS_DEVICE();
  OwnStream one, two;
  Job first(fitted(a_case(4, 131072, 1), GetParam()), GetParam());
  Job second(fitted(a_case(16, 50001, 2, Order::by_score), GetParam()), GetParam());
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(first.enqueue(one.stream()).ok());
    ASSERT_TRUE(second.enqueue(two.stream()).ok());
  }
  ASSERT_EQ(one.wait(), cudaSuccess);
  ASSERT_EQ(two.wait(), cudaSuccess);
  EXPECT_EQ(first.wrong(), "");
  EXPECT_EQ(second.wrong(), "");
}

TEST_P(Streams, ALateProducerIsWaitedFor) {
  TAMIS_NEEDS_DEVICE();
  OwnStream own;
  Job job(fitted(a_case(8, 65536, 3), GetParam()), GetParam());
  const Buffer source(device_memory(), job.inputs().scores);
  for (int i = 0; i < 10; ++i) {
    job.scores().write(std::vector<std::byte>(job.scores().size(), std::byte{0}));
    job.poison();
    ASSERT_EQ(copy_late(job.scores().data(), source.data(), source.size(), millisecond, own.native()), cudaSuccess);
    ASSERT_TRUE(job.enqueue(own.stream()).ok());
    ASSERT_EQ(own.wait(), cudaSuccess);
    ASSERT_EQ(job.wrong(), "");
  }
}

TEST_P(Streams, ASelectionFinishesWhileAnotherKernelHoldsMostUnits) {
  TAMIS_NEEDS_DEVICE();
  OwnStream own, other;
  Job job(fitted(a_case(64, 131072, 4), GetParam()), GetParam());
  ASSERT_EQ(hold_units(first_device()->units - 4, 20 * millisecond, other.native()), cudaSuccess);
  ASSERT_TRUE(job.enqueue(own.stream()).ok());
  ASSERT_EQ(own.wait(), cudaSuccess);
  EXPECT_EQ(job.wrong(), "");
  ASSERT_EQ(other.wait(), cudaSuccess);
}

TEST_P(Streams, OneWorkspaceServesShapeAfterShape) {
  TAMIS_NEEDS_DEVICE();
  OwnStream own;
  Job first(fitted(a_case(16, 50001, 5, Order::by_score), GetParam()), GetParam());
  Job second(fitted(a_case(3, 131072, 6), GetParam()), GetParam());
  const std::size_t bytes = std::max(first.plan().workspace_bytes(), second.plan().workspace_bytes());
  const Buffer workspace(device_memory(), std::vector<std::byte>(bytes, std::byte{0x5a}));
  for (int i = 0; i < 10; ++i)
    for (Job* job : {&first, &second}) {
      job->poison();
      ASSERT_TRUE(job->enqueue(workspace, own.stream()).ok());
      ASSERT_EQ(own.wait(), cudaSuccess);
      ASSERT_EQ(job->wrong(), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Streams, each_method, method_name);

}  // namespace
}  // namespace tamis::testing
