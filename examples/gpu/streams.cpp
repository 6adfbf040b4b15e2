// Streams: one plan, two streams, two workspaces. The calls return at once and know nothing of each other.

#include <memory>

#include "array.hpp"

namespace {

struct Job {
  Job(const tamis::Shape& shape, const tamis::Plan& plan, std::uint64_t seed)
      : scores(scores_for(shape, seed)),
        scores_there(scores),
        indices(static_cast<std::size_t>(shape.rows * shape.k)),
        workspace(plan.workspace_bytes()) {
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }

  void enqueue(const tamis::Shape& shape, const tamis::Plan& plan) {
    must(tamis::select(plan, {.scores = scores_there.data(), .stride = shape.width}, {.indices = indices.data()},
                       {workspace.data(), plan.workspace_bytes()}, tamis::Stream(stream)));
  }

  std::vector<float> scores;
  Array<float> scores_there;
  Array<std::int32_t> indices;
  Array<std::byte> workspace;
  cudaStream_t stream = nullptr;
};

}  // namespace

int main() {
  const tamis::Shape shape{.rows = 4, .width = 131072, .k = 2048};
  const auto plan = tamis::plan(shape, first_gpu());
  must(plan.status);
  Job one(shape, plan.value, 1), two(shape, plan.value, 2);
  for (int step = 0; step < 10; ++step)
    for (Job* job : {&one, &two}) job->enqueue(shape, plan.value);
  int wrong = 0;
  for (Job* job : {&one, &two}) {
    must(cudaStreamSynchronize(job->stream));
    wrong += judge("stream", shape, job->scores, job->indices.read());
    must(cudaStreamDestroy(job->stream));
  }
  return wrong;
}
