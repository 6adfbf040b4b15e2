// What a C++ programmer would take: a partial sort of (score, position) pairs, and Highway's vectorised sort of the
// same packed into 64 bits. Both know that these scores hold no NaN, and neither writes in any order.

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "selection.hpp"

namespace tamis::bench {
namespace {

struct Pair {
  float score;
  std::int32_t position;
};

bool before(const Pair& a, const Pair& b) { return a.score != b.score ? a.score > b.score : a.position < b.position; }

// Orders scores as unsigned integers and, among equals, the lower position first, when sorted descending.
std::uint64_t packed(float score, std::int64_t position) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0f);
  const std::uint32_t key = bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000u);
  return std::uint64_t{key} << 32 | ~static_cast<std::uint32_t>(position);
}

}  // namespace

Selection make_nth_element(const Cell& cell, const void* scores) {
  auto pairs = std::make_shared<std::vector<Pair>>(cell.length);
  auto out = std::make_shared<std::vector<std::int32_t>>(cell.rows * cell.k);
  return [=] {
    for (std::int64_t row = 0; row < cell.rows; ++row) {
      const float* from = static_cast<const float*>(scores) + row * cell.length;
      for (std::int64_t i = 0; i < cell.length; ++i) (*pairs)[i] = {from[i], static_cast<std::int32_t>(i)};
      std::nth_element(pairs->begin(), pairs->begin() + cell.k, pairs->end(), before);
      for (std::int64_t i = 0; i < cell.k; ++i) (*out)[row * cell.k + i] = (*pairs)[i].position;
    }
  };
}

Selection make_vqsort(const Cell& cell, const void* scores) {
  auto keys = std::make_shared<std::vector<std::uint64_t>>(cell.length);
  auto out = std::make_shared<std::vector<std::int32_t>>(cell.rows * cell.k);
  auto sorter = std::make_shared<hwy::Sorter>();
  return [=] {
    for (std::int64_t row = 0; row < cell.rows; ++row) {
      const float* from = static_cast<const float*>(scores) + row * cell.length;
      for (std::int64_t i = 0; i < cell.length; ++i) (*keys)[i] = packed(from[i], i);
      (*sorter)(keys->data(), keys->size(), hwy::SortDescending());
      for (std::int64_t i = 0; i < cell.k; ++i)
        (*out)[row * cell.k + i] = static_cast<std::int32_t>(~static_cast<std::uint32_t>((*keys)[i]));
    }
  };
}

}  // namespace tamis::bench
