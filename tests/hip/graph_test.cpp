// A selection recorded into a graph: nothing but launches is asked of the runtime while a stream records, and a replay
// is right for what the device then holds. Runs on a device of AMD's too (scripts/hip_check), in its memory.

#include <gtest/gtest.h>

#include <cstring>

#include "hip/host.hpp"
#include "support/buffer.hpp"

namespace tamis::testing {
namespace {

template <class Function>
Function* function(const char* name) {
  return reinterpret_cast<Function*>(runtime_function(name));
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}

// A selection from f32 rows in the device's memory.
class Task {
 public:
  explicit Task(const Shape& of)
      : shape_(of),
        planned_(plan(of, hip_device(0)).value),
        host_scores_(static_cast<std::size_t>(of.rows * of.width)),
        host_lengths_(static_cast<std::size_t>(of.rows)),
        scores_(hip_backend().memory, bytes_of(host_scores_)),
        lengths_(hip_backend().memory, bytes_of(host_lengths_)),
        indices_(hip_backend().memory, nothing()),
        workspace_(hip_backend().memory, std::vector<std::byte>(planned_.workspace_bytes() + 1, std::byte{0x77})) {}

  Status enqueue(Stream stream) {
    const Rows rows{
        .scores = scores_.data(), .stride = shape_.width, .lengths = static_cast<const std::int32_t*>(lengths_.data())};
    return select(planned_, rows, {.indices = static_cast<std::int32_t*>(indices_.data())},
                  {workspace_.data(), planned_.workspace_bytes()}, stream);
  }

  // Other scores and lengths, and nothing selected yet.
  void become(unsigned seed) {
    for (std::size_t i = 0; i < host_scores_.size(); ++i)
      host_scores_[i] = static_cast<float>((i * 2654435761u + seed * 40503u) % 1000003u);
    for (std::size_t r = 0; r < host_lengths_.size(); ++r)
      host_lengths_[r] = static_cast<std::int32_t>((seed * 7919u + r * 104729u) % static_cast<unsigned>(shape_.width));
    scores_.write(bytes_of(host_scores_));
    lengths_.write(bytes_of(host_lengths_));
    indices_.write(nothing());
  }

  std::string wrong() const {
    std::vector<std::int32_t> selected(static_cast<std::size_t>(shape_.rows * shape_.k));
    std::memcpy(selected.data(), indices_.content().data(), selected.size() * sizeof(std::int32_t));
    const Rows rows{.scores = host_scores_.data(), .stride = shape_.width, .lengths = host_lengths_.data()};
    const Result<Report> report = verify(shape_, rows, {.indices = selected.data()});
    return report.ok() && report.value.exact() ? "" : report.status.message + report.value.message;
  }

 private:
  std::vector<std::byte> nothing() const {
    return std::vector<std::byte>(static_cast<std::size_t>(shape_.rows * shape_.k) * sizeof(std::int32_t),
                                  std::byte{1});
  }

  Shape shape_;
  Plan planned_;
  std::vector<float> host_scores_;
  std::vector<std::int32_t> host_lengths_;
  Buffer scores_, lengths_, indices_, workspace_;
};

// Of the double's calls, where the runtime is the double.
void forget_calls() {
  if (DoubleState* state = double_state()) state->calls.clear();
}

std::vector<std::string> calls() {
  return double_state() == nullptr ? std::vector<std::string>{} : double_state()->calls;
}

class HipGraphs : public ::testing::TestWithParam<Shape> {};

TEST_P(HipGraphs, ReplayRightForWhatTheDeviceThenHolds) {
  Task task(GetParam());
  task.become(1);
  ASSERT_TRUE(task.enqueue({}).ok());  // kernels are loaded
  hip::StreamHandle stream = nullptr;
  void *graph = nullptr, *executable = nullptr;
  ASSERT_EQ(function<hip::Error(hip::StreamHandle*)>("hipStreamCreate")(&stream), hip::success);
  ASSERT_EQ(function<hip::Error(hip::StreamHandle, int)>("hipStreamBeginCapture")(stream, 0), hip::success);
  forget_calls();
  ASSERT_TRUE(task.enqueue(Stream(stream)).ok());
  for (const std::string& call : calls())
    EXPECT_TRUE(call == "hipModuleLaunchKernel" || call == "hipGetDevice") << call;
  ASSERT_EQ(function<hip::Error(hip::StreamHandle, void**)>("hipStreamEndCapture")(stream, &graph), hip::success);
  ASSERT_EQ(function<hip::Error(void**, void*, void*, char*, std::size_t)>("hipGraphInstantiate")(&executable, graph,
                                                                                                  nullptr, nullptr, 0),
            hip::success);
  for (unsigned seed = 2; seed < 5; ++seed) {
    task.become(seed);
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
