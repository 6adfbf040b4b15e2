// See fold.hpp. Four vectors in flight, the widest that the machine has, and the prefetch of the CPU backend: a floor
// that read with less would be no floor.

#include "fold.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fold.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tamis::cli {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t fold_words(const std::byte* bytes, std::size_t size) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes);
  constexpr std::size_t ahead = 4096;
  auto a = hn::Zero(d), b = a, c = a, e = a;
  std::size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    for (std::size_t line = 0; line < 4 * lanes; line += 64) hwy::Prefetch(from + i + line + ahead);
    a = hn::Xor(a, hn::LoadU(d, from + i));
    b = hn::Xor(b, hn::LoadU(d, from + i + lanes));
    c = hn::Xor(c, hn::LoadU(d, from + i + 2 * lanes));
    e = hn::Xor(e, hn::LoadU(d, from + i + 3 * lanes));
  }
  HWY_ALIGN std::uint8_t partial[hn::MaxLanes(d)];
  hn::Store(hn::Xor(hn::Xor(a, b), hn::Xor(c, e)), d, partial);
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) sum ^= std::uint64_t{partial[lane]} << 8 * (lane % 8);
  for (; i < size; ++i) sum ^= std::uint64_t{from[i]} << 8 * (i % 8);
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace tamis::cli
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::cli {

HWY_EXPORT(fold_words);

std::uint64_t folded(std::span<const std::byte> bytes) {
  return HWY_DYNAMIC_DISPATCH(fold_words)(bytes.data(), bytes.size());
}

}  // namespace tamis::cli
#endif
