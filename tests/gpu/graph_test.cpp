// CUDA graphs: a selection captured once and replayed over whatever the device then holds.

#include <cuda_runtime_api.h>

#include "job.hpp"

namespace tamis::testing {
namespace {

class Graph {
 public:
  explicit Graph(Job& job) {
    cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal);
    captured_ = job.enqueue(Stream(stream_));
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream_, &graph);
    if (graph != nullptr) cudaGraphInstantiate(&executable_, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
  }
  ~Graph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    cudaStreamDestroy(stream_);
  }

  const Status& captured() const { return captured_; }
  cudaError_t replay() {
    const cudaError_t error = cudaGraphLaunch(executable_, stream_);
    return error != cudaSuccess ? error : cudaStreamSynchronize(stream_);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  Status captured_;
};

Case wide(std::uint64_t seed, std::vector<std::int32_t> lengths) {
  return {.sentence = "graph",
          .name = "wide",
          .shape = {.rows = 8, .width = 131072, .k = 2048},
          .pattern = "relu",
          .seed = seed,
          .lengths = std::move(lengths),
          .mapping = Mapping::paged};
}

class Graphs : public ::testing::TestWithParam<std::string> {};

TEST_P(Graphs, AReplayIsRightForTheLengthsScoresAndPagesTheDeviceThenHolds) {
  TAMIS_NEEDS_DEVICE();
  Case cases[] = {wide(1, {1, 100, 2047, 2048, 2049, 3000, 0, -1}),
                  wide(2, {131072, 131071, 65536, 100000, 4096, 8193, 50000, 131072}),
                  wide(3, {5, 131072, 1, 2048, 70000, 0, 9999, 2049}), wide(4, {1024, 1, 1, 1, 1, 1, 1, 1})};
  for (Case& c : cases) c = fitted(c, GetParam());
  Job job(cases[0], GetParam());
  Graph graph(job);
  ASSERT_TRUE(graph.captured().ok()) << graph.captured().message;
  for (const Case& c : cases) {
    job.become(c);
    job.poison();
    ASSERT_EQ(graph.replay(), cudaSuccess);
    EXPECT_EQ(job.wrong(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Graphs, each_method, method_name);

}  // namespace
}  // namespace tamis::testing
