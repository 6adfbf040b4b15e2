// The floor: every score is read once and one number a row is written, its greatest as an integer, with four vectors in
// flight and the best instructions of the machine.

#include <algorithm>
#include <memory>

#include "selection.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "floor.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tamis::bench {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Lane>
Lane greatest(const Lane* HWY_RESTRICT scores, std::int64_t length) {
  const hn::ScalableTag<Lane> d;
  const std::int64_t lanes = hn::Lanes(d);
  auto a = hn::Set(d, hwy::LimitsMin<Lane>()), b = a, c = a, e = a;
  constexpr std::int64_t ahead = 4096 / sizeof(Lane);  // as the filter does: it is faster than without
  std::int64_t i = 0;
  for (; i + 4 * lanes <= length; i += 4 * lanes) {
    for (std::int64_t line = 0; line < 4; ++line) hwy::Prefetch(scores + i + line * lanes + ahead);
    a = hn::Max(a, hn::LoadU(d, scores + i));
    b = hn::Max(b, hn::LoadU(d, scores + i + lanes));
    c = hn::Max(c, hn::LoadU(d, scores + i + 2 * lanes));
    e = hn::Max(e, hn::LoadU(d, scores + i + 3 * lanes));
  }
  HWY_ALIGN Lane partial[hn::MaxLanes(d)];
  hn::Store(hn::Max(hn::Max(a, b), hn::Max(c, e)), d, partial);
  Lane result = *std::max_element(partial, partial + lanes);
  for (; i < length; ++i) result = std::max(result, scores[i]);
  return result;
}

}  // namespace

std::int32_t greatest_32(const void* scores, std::int64_t length) {
  return greatest(static_cast<const std::int32_t*>(scores), length);
}
std::int32_t greatest_16(const void* scores, std::int64_t length) {
  return greatest(static_cast<const std::int16_t*>(scores), length);
}

}  // namespace HWY_NAMESPACE
}  // namespace tamis::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::bench {

HWY_EXPORT(greatest_32);
HWY_EXPORT(greatest_16);

Selection make_floor(const Cell& cell, const void* scores) {
  auto out = std::make_shared<std::vector<std::int32_t>>(cell.rows);
  const std::int64_t row_bytes = cell.length * static_cast<std::int64_t>(score_bytes(cell.scores));
  return [=] {
    for (std::int64_t row = 0; row < cell.rows; ++row) {
      const void* from = static_cast<const std::byte*>(scores) + row * row_bytes;
      (*out)[row] = cell.scores == ScoreType::f32 ? HWY_DYNAMIC_DISPATCH(greatest_32)(from, cell.length)
                                                  : HWY_DYNAMIC_DISPATCH(greatest_16)(from, cell.length);
    }
  };
}

}  // namespace tamis::bench
#endif
