// Dependent launch: a producer of scores that lets the selection start while it still writes. The selection's blocks
// find their place on the device meanwhile, and wait by themselves until the producer has ended.

#include "array.hpp"

namespace {

__global__ void produce(float* scores, long long count, float scale) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll) scores[i] *= scale;
}

}  // namespace

int main() {
  const tamis::Shape shape{.rows = 64, .width = 32768, .k = 2048};
  const auto plan = tamis::plan(shape, first_gpu());
  must(plan.status);

  std::vector<float> scores = scores_for(shape, 4);
  const Array<float> scores_there(scores);
  const Array<std::int32_t> indices(static_cast<std::size_t>(shape.rows * shape.k));
  const Array<std::byte> workspace(plan.value.workspace_bytes());

  produce<<<132, 256>>>(scores_there.data(), shape.rows * shape.width, -1.0f);
  must(cudaGetLastError());
  must(tamis::select(plan.value, {.scores = scores_there.data(), .stride = shape.width}, {.indices = indices.data()},
                     {workspace.data(), plan.value.workspace_bytes()}));

  for (float& score : scores) score = -score;
  return judge("dependent launch", shape, scores, indices.read());
}
