// Generates, selects and verifies through the C++ API. Exits 0 when the selection is exact.

#include <cstdio>
#include <vector>

#include "tamis/tamis.hpp"
#include "tamis/workload.hpp"

int main() {
  const tamis::Shape shape{.rows = 4, .width = 1000, .k = 100};
  std::vector<float> scores(4 * 1000);
  std::vector<std::int32_t> indices(4 * 100);
  const tamis::Rows rows{.scores = scores.data(), .stride = shape.width};
  const tamis::Output output{.indices = indices.data()};

  tamis::Status status = tamis::workload::generate("normal", 1, {scores.data(), tamis::ScoreType::f32, 4, 1000, 1000});
  const auto plan = tamis::plan(shape, tamis::cpu_device());
  std::vector<std::byte> scratch(plan.value.workspace_bytes());
  if (status.ok()) status = tamis::select(plan.value, rows, output, {scratch.data(), scratch.size()});
  const auto report = tamis::verify(shape, rows, output);
  std::printf("tamis %s: %s%s\n", tamis::version().data(), status.message.c_str(), report.value.message.c_str());
  return status.ok() && report.ok() && report.value.exact() && report.value.rows == 4 ? 0 : 1;
}
