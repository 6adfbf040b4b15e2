// Selects the best positions of two rows and prints them. Build: see docs/index.md, or the preset `release`.

#include <cstdio>
#include <vector>

#include "tamis/tamis.hpp"

int main() {
  const std::vector<float> scores{0.5f, 2.0f, 1.0f, 2.0f, 0.0f,  //
                                  3.0f, 0.0f, 0.0f, 0.0f, 1.0f};
  const auto planned =
      tamis::plan({.rows = 2, .width = 5, .k = 3, .order = tamis::Order::by_score}, tamis::cpu_device());
  if (!planned.ok()) return std::fprintf(stderr, "%s\n", planned.status.message.c_str()), 1;

  std::vector<std::int32_t> indices(2 * 3);
  std::vector<std::byte> scratch(planned.value.workspace_bytes());
  const tamis::Status status = tamis::select(planned.value, {.scores = scores.data(), .stride = 5},
                                             {.indices = indices.data()}, {scratch.data(), scratch.size()});
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message.c_str()), 1;

  for (int row = 0; row < 2; ++row)
    std::printf("row %d: %d %d %d\n", row, indices[3 * row], indices[3 * row + 1], indices[3 * row + 2]);
}
