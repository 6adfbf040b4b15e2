// Bins of equal width over the range of scores in which the threshold is expected. Unlike a digit of the key a ruler is
// sharp wherever the scores lie, and a score is read off it in two multiply-adds. Readings are monotone in the score
// whatever the range, so a poor range costs another pass and never a wrong selection.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "simt/arithmetic.hpp"
#include "simt/common.hpp"

namespace tamis::stages {

// The score of a key of finite f32 scores and infinities, as key_of<ScoreType::f32> made it.
TAMIS_DEVICE float score_of_key(std::uint32_t key) {
  constexpr std::uint32_t sign = 0x80000000u;
  return std::bit_cast<float>(key & sign ? key ^ sign : ~key);
}

// `bins` bins in the range, numbered 1 ... bins from below; bin 0 is all that is less, NaN included, and the last bin
// all that is more.
template <int bins>
struct Ruler {
  // Readings are numbers in [2^23, 2^23 + bins], where a float's last bit counts one.
  static constexpr float zero = 0x1p23f;

  float scale;
  float offset;
  bool single;  // every bin but the ends holds one number at most

  TAMIS_DEVICE float reading(float score) const {
    return simt::fma(simt::saturated_fma(score, scale, offset), static_cast<float>(bins), zero);
  }
  TAMIS_DEVICE static int bin_of(float reading) {
    return static_cast<int>(std::bit_cast<std::uint32_t>(reading) - std::bit_cast<std::uint32_t>(zero));
  }
  TAMIS_DEVICE static float reading_of(int bin) { return zero + static_cast<float>(bin); }
};

// A ruler over the scores from key `low` to key `high`, and as far again times `stretch` above. Infinite ends are drawn
// in so that the scale is a normal number and infinite scores read as the ends; a range narrower than 2^-17 of its
// scores is widened, since the offset's rounding moves it by up to 2^-24 of them. So widened, numbers side by side, at
// least 2^-24 of themselves apart, read 2^-7.1 of the ruler apart: in different bins where there are 256 or more. So do
// numbers of few keys: the widest step between them is at most twice the narrowest.
template <int bins>
TAMIS_DEVICE Ruler<bins> lay_ruler(std::uint32_t low, std::uint32_t high, float stretch) {
  static_assert(bins >= 256);
  constexpr float most = 0x1p125f;
  constexpr float least = 0x1p-100f;
  const float first = std::min(std::max(score_of_key(low), -most), most);
  const float last = std::min(std::max(score_of_key(high), first), most);
  const float narrowest = (first < 0 ? -first : first) * 0x1p-17f;
  const float wanted = (last - first) * (1.0f + stretch);
  const float width = std::min(std::max(wanted, std::max(narrowest, least)), most);
  const float scale = 0.9375f * simt::about_inverse(width);
  const bool few_keys = high - low <= 64;
  return {scale, simt::fma(-first, scale, 0.03125f), (wanted <= narrowest || few_keys) && narrowest > least};
}

}  // namespace tamis::stages
