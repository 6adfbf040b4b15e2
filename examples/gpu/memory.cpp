// Memory: everything lies on the device, the workspace too, whose size the plan says. select allocates nothing.

#include "array.hpp"

int main() {
  const tamis::Shape shape{.rows = 16, .width = 50000, .k = 2048, .order = tamis::Order::by_score};
  const auto plan = tamis::plan(shape, first_gpu());
  must(plan.status);

  const std::vector<float> scores = scores_for(shape, 1);
  const Array<float> scores_there(scores);
  const Array<std::int32_t> indices(static_cast<std::size_t>(shape.rows * shape.k));
  const Array<std::byte> workspace(plan.value.workspace_bytes());  // cudaMalloc aligns to 256

  must(tamis::select(plan.value, {.scores = scores_there.data(), .stride = shape.width}, {.indices = indices.data()},
                     {workspace.data(), plan.value.workspace_bytes()}));
  return judge("memory", shape, scores, indices.read());  // the copy waits for the default stream
}
