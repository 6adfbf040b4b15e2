// The case list, put together.

#include <algorithm>

#include "support/case.hpp"

namespace tamis::testing {

Size Case::size() const {
  const std::int64_t scores_count = shape.rows * shape.width;
  if (scores_count <= (1 << 15)) return Size::emulator;
  return scores_count <= (1 << 21) ? Size::cpu : Size::gpu;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> list = [] {
    std::vector<Case> all;
    for (auto part : {input_cases, selection_cases, output_cases, shape_cases}) {
      std::vector<Case> more = part();
      std::move(more.begin(), more.end(), std::back_inserter(all));
    }
    return all;
  }();
  return list;
}

}  // namespace tamis::testing
