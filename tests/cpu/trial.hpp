// One selection on the CPU, judged by verify: the shape and its input as data, the workspace and the outputs filled
// with what must not matter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::test {

struct Trial {
  Shape shape;
  std::string_view pattern = "normal";
  std::uint64_t seed = 1;
  std::vector<std::int32_t> lengths{};  // empty: width
  std::vector<std::int32_t> starts{};   // empty: 0
  std::int32_t planned = 1;             // threads planned for
  std::int32_t threads = 1;             // threads given
  std::size_t misalignment = 0;         // of the workspace, in bytes
};

struct Outcome {
  std::vector<std::int32_t> indices;
  std::string complaint;  // empty: verify found nothing, and nothing outside the workspace was touched
};

Outcome run(const Trial& trial);

std::string describe(const Trial& trial);

}  // namespace tamis::test
