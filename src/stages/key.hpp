// Scores as ordered unsigned integers: a greater score has a greater key, equal scores have equal keys. -0 equals +0;
// every NaN has key 0, below all others, or the greatest key. Floating-point bits order like integers but for the
// sign, so no score is ever converted: f16 and bf16 have 16-bit keys.
#pragma once

#include <cstdint>

#include "simt/common.hpp"
#include "tamis/tamis.hpp"

namespace tamis::stages {

// The bits of one score type, and what they mean.
template <ScoreType type>
struct Score;

template <>
struct Score<ScoreType::f32> {
  using Bits = std::uint32_t;
  static constexpr Bits infinity = 0x7f800000u;
};
template <>
struct Score<ScoreType::f16> {
  using Bits = std::uint16_t;
  static constexpr Bits infinity = 0x7c00u;
};
template <>
struct Score<ScoreType::bf16> {
  using Bits = std::uint16_t;
  static constexpr Bits infinity = 0x7f80u;
};

template <ScoreType type>
using Bits = typename Score<type>::Bits;

template <ScoreType type>
inline constexpr std::uint32_t greatest_key = static_cast<Bits<type>>(~Bits<type>{0});

template <ScoreType type>
inline constexpr std::uint32_t sign_bit = greatest_key<type> ^ (greatest_key<type> >> 1);

template <ScoreType type>
TAMIS_DEVICE std::uint32_t key_of(Bits<type> score, Nan nan) {
  const std::uint32_t bits = score;
  const std::uint32_t magnitude = bits & ~sign_bit<type>;
  if (magnitude > Score<type>::infinity) return nan == Nan::highest ? greatest_key<type> : 0;
  if (magnitude == 0) return sign_bit<type>;
  return bits & sign_bit<type> ? bits ^ greatest_key<type> : bits | sign_bit<type>;
}

}  // namespace tamis::stages
