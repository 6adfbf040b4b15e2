// Graphs: captured once for the longest context, replayed while the lengths on the device grow.

#include "array.hpp"

int main() {
  const tamis::Shape shape{.rows = 8, .width = 131072, .k = 2048};
  const auto plan = tamis::plan(shape, first_gpu());
  must(plan.status);

  const std::vector<float> scores = scores_for(shape, 3);
  const Array<float> scores_there(scores);
  Array<std::int32_t> lengths(static_cast<std::size_t>(shape.rows));
  const Array<std::int32_t> indices(static_cast<std::size_t>(shape.rows * shape.k));
  const Array<std::byte> workspace(plan.value.workspace_bytes());

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  must(tamis::select(plan.value, {.scores = scores_there.data(), .stride = shape.width, .lengths = lengths.data()},
                     {.indices = indices.data()}, {workspace.data(), plan.value.workspace_bytes()},
                     tamis::Stream(stream)));
  must(cudaStreamEndCapture(stream, &graph));
  must(cudaGraphInstantiate(&replay, graph, 0));

  int wrong = 0;
  for (const std::int32_t length : {1, 2048, 2049, 60000, 131072}) {
    const std::vector<std::int32_t> now(static_cast<std::size_t>(shape.rows), length);
    lengths.write(now);
    must(cudaGraphLaunch(replay, stream));
    must(cudaStreamSynchronize(stream));
    wrong += judge("graph", shape, scores, indices.read(), now);
  }
  must(cudaGraphExecDestroy(replay));
  must(cudaGraphDestroy(graph));
  must(cudaStreamDestroy(stream));
  return wrong;
}
