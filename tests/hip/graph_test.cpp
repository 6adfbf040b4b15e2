// A selection recorded into a graph: nothing but launches is asked of the runtime while a stream records, and a replay
// is right for what the device then holds.

#include <gtest/gtest.h>

#include <algorithm>

#include "hip/host.hpp"

namespace tamis::testing {
namespace {

template <class Function>
Function* function(const char* name) {
  return reinterpret_cast<Function*>(runtime_function(name));
}

// What is selected of f32 rows, on host memory, which the double's device reads.
struct Task {
  Shape shape;
  std::vector<float> scores;
  std::vector<std::int32_t> lengths, indices;
  std::vector<std::byte> workspace;
  Plan planned;

  explicit Task(const Shape& of)
      : shape(of),
        scores(static_cast<std::size_t>(of.rows * of.width)),
        lengths(static_cast<std::size_t>(of.rows)),
        indices(static_cast<std::size_t>(of.rows * of.k)),
        planned(plan(of, hip_device(0)).value) {
    workspace.resize(planned.workspace_bytes() + 256, std::byte{0x77});
  }

  Rows rows() const { return {.scores = scores.data(), .stride = shape.width, .lengths = lengths.data()}; }
  Output output() { return {.indices = indices.data()}; }
  Status enqueue(Stream stream) {
    const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
    return select(planned, rows(), output(),
                  {workspace.data() + (256 - address % 256) % 256, planned.workspace_bytes()}, stream);
  }
  std::string wrong() {
    const Result<Report> report = verify(shape, rows(), output());
    return report.ok() && report.value.exact() ? "" : report.status.message + report.value.message;
  }
};

void fill(Task& task, unsigned seed) {
  for (std::size_t i = 0; i < task.scores.size(); ++i)
    task.scores[i] = static_cast<float>((i * 2654435761u + seed * 40503u) % 1000003u);
  for (std::size_t r = 0; r < task.lengths.size(); ++r)
    task.lengths[r] = static_cast<std::int32_t>((seed * 7919u + r * 104729u) % static_cast<unsigned>(task.shape.width));
}

class HipGraphs : public ::testing::TestWithParam<Shape> {};

TEST_P(HipGraphs, ReplayRightForWhatTheDeviceThenHolds) {
  Task task(GetParam());
  fill(task, 1);
  ASSERT_TRUE(task.enqueue({}).ok());  // kernels are loaded
  hip::StreamHandle stream = nullptr;
  void *graph = nullptr, *executable = nullptr;
  ASSERT_EQ(function<hip::Error(hip::StreamHandle*)>("hipStreamCreate")(&stream), hip::success);
  ASSERT_EQ(function<hip::Error(hip::StreamHandle, int)>("hipStreamBeginCapture")(stream, 0), hip::success);
  double_state()->calls.clear();
  ASSERT_TRUE(task.enqueue(Stream(stream)).ok());
  for (const std::string& call : double_state()->calls)
    EXPECT_TRUE(call == "hipModuleLaunchKernel" || call == "hipGetDevice") << call;
  ASSERT_EQ(function<hip::Error(hip::StreamHandle, void**)>("hipStreamEndCapture")(stream, &graph), hip::success);
  ASSERT_EQ(function<hip::Error(void**, void*, void*, char*, std::size_t)>("hipGraphInstantiate")(&executable, graph,
                                                                                                  nullptr, nullptr, 0),
            hip::success);
  for (unsigned seed = 2; seed < 5; ++seed) {
    fill(task, seed);
    std::fill(task.indices.begin(), task.indices.end(), 12345);
    ASSERT_EQ(function<hip::Error(void*, hip::StreamHandle)>("hipGraphLaunch")(executable, stream), hip::success);
    ASSERT_EQ(function<hip::Error(hip::StreamHandle)>("hipStreamSynchronize")(stream), hip::success);
    EXPECT_EQ(task.wrong(), "") << "seed " << seed;
  }
  EXPECT_EQ(function<hip::Error(void*)>("hipGraphExecDestroy")(executable), hip::success);
  EXPECT_EQ(function<hip::Error(void*)>("hipGraphDestroy")(graph), hip::success);
  EXPECT_EQ(function<hip::Error(hip::StreamHandle)>("hipStreamDestroy")(stream), hip::success);
}

INSTANTIATE_TEST_SUITE_P(Shapes, HipGraphs,
                         ::testing::Values(Shape{.rows = 5, .width = 3000, .k = 100},
                                           Shape{.rows = 2, .width = 66000, .k = 300}));

}  // namespace
}  // namespace tamis::testing
