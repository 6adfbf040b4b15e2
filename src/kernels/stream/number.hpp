// Scores and keys as what the machine compares fastest: floating-point numbers where the type is one it knows, so that
// NaN falls out by itself and -0 equals +0, and keys otherwise.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "simt/common.hpp"
#include "stages/key.hpp"

namespace tamis::kernels::stream {

template <ScoreType type>
using Number = std::conditional_t<type == ScoreType::f16, std::uint32_t, float>;

template <ScoreType type>
TAMIS_DEVICE Number<type> number_of(std::uint32_t bits) {
  if constexpr (type == ScoreType::f32) return std::bit_cast<float>(bits);
  if constexpr (type == ScoreType::bf16) return std::bit_cast<float>(bits << 16);
  if constexpr (type == ScoreType::f16) return stages::key_of<type>(static_cast<std::uint16_t>(bits), Nan::lowest);
}

// The ordered integer of a score that is a number, as stages::key_of gives it.
template <ScoreType type>
TAMIS_DEVICE std::uint32_t key_of_number(std::uint32_t bits) {
  constexpr std::uint32_t sign = stages::sign_bit<type>;
  if constexpr (type == ScoreType::f32) {
    const auto one_zero = std::bit_cast<std::int32_t>(std::bit_cast<float>(bits) + 0.0f);  // -0 becomes +0
    return static_cast<std::uint32_t>(one_zero) ^ (static_cast<std::uint32_t>(one_zero >> 31) | sign);
  } else {
    const std::uint32_t one_zero = bits == sign ? 0 : bits;
    return one_zero ^ (one_zero & sign ? stages::greatest_key<type> : sign);
  }
}

// The same for any score: NaN has key 0.
template <ScoreType type>
TAMIS_DEVICE std::uint32_t key_of_score(std::uint32_t bits) {
  const bool nan = (bits & ~stages::sign_bit<type>) > stages::Score<type>::infinity;
  return nan ? 0 : key_of_number<type>(bits);
}

// Keys of the infinities: every other number lies between.
template <ScoreType type>
inline constexpr std::uint32_t greatest_number_key = stages::Score<type>::infinity | stages::sign_bit<type>;
template <ScoreType type>
inline constexpr std::uint32_t least_number_key = greatest_number_key<type> ^ stages::greatest_key<type>;

// The bits of the number with a key.
template <ScoreType type>
TAMIS_DEVICE std::uint32_t bits_of_number_key(std::uint32_t key) {
  const std::uint32_t sign = stages::sign_bit<type>;
  return key & sign ? key ^ sign : key ^ stages::greatest_key<type>;
}

// The number with a key; keys beyond the infinities stand for them.
template <ScoreType type>
TAMIS_DEVICE Number<type> number_of_key(std::uint32_t key) {
  key = key < least_number_key<type> ? least_number_key<type> : key;
  key = key > greatest_number_key<type> ? greatest_number_key<type> : key;
  return number_of<type>(bits_of_number_key<type>(key));
}

// The number that scores have to reach to have no less than a key; one that none reaches where the key is beyond that
// of infinity.
template <ScoreType type>
TAMIS_DEVICE Number<type> least_number(std::uint32_t key) {
  if (key <= greatest_number_key<type>) return number_of_key<type>(key);
  if constexpr (type == ScoreType::f16)
    return ~0u;
  else
    return std::bit_cast<float>(0x7fffffffu);  // NaN
}

// Numbers above `high`, and those that reach `low`.
template <ScoreType type>
struct Span {
  Number<type> low;
  Number<type> high;

  TAMIS_DEVICE bool above(Number<type> x) const { return x > high; }
  TAMIS_DEVICE bool reaches(Number<type> x) const { return x >= low; }
};

template <ScoreType type>
TAMIS_DEVICE Span<type> span_of(std::uint32_t low, std::uint32_t high) {
  // The key below that of zero would be the one of -0, which no score has and which as a number equals +0.
  const std::uint32_t last = high == stages::sign_bit<type> - 1 ? high - 1 : high;
  return {number_of_key<type>(low), number_of_key<type>(last)};
}

}  // namespace tamis::kernels::stream
