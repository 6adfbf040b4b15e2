// A selection split over shards of the columns and merged again, on host memory, with the plain CPU device.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::testing {

// Indices, score bits and counts of a selection, tight.
struct Selected {
  std::vector<std::int32_t> indices;
  std::vector<std::byte> scores;
  std::vector<std::int32_t> counts;

  bool operator==(const Selected&) const = default;
};

// Selects from whole rows; `scores` is [rows, width], tight, of the shape's type.
Selected select_whole(const Shape& shape, const std::vector<std::byte>& scores, const Device& device = cpu_device());

// Selects on each of `bounds.size() - 1` shards [bounds[i], bounds[i + 1]) of the columns and merges the candidates.
Selected select_sharded(const Shape& shape, const std::vector<std::byte>& scores,
                        const std::vector<std::int64_t>& bounds, const Device& device = cpu_device());

}  // namespace tamis::testing
