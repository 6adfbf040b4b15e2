// The key of a score: the score as a signed integer that sorts as the contract orders scores.
//
// Scores are sign and magnitude; the key is their two's complement, so that -0.0 and +0.0 meet at 0 and every compare
// is one of integers: no rounding mode, flush-to-zero setting or signalling NaN of the caller enters a decision.
#pragma once

#include <cstdint>
#include <cstring>

#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

struct KeyRule {
  std::int32_t sign;      // the sign bit of the score's type
  std::int32_t infinity;  // the magnitude, and the key, of +inf
  std::int32_t nan;       // the key of every NaN: one below -inf or one above +inf
  Nan order;
};

inline KeyRule key_rule(ScoreType type, Nan order) {
  const std::int32_t infinity = type == ScoreType::f32 ? 0x7f800000 : type == ScoreType::f16 ? 0x7c00 : 0x7f80;
  const std::int32_t sign = type == ScoreType::f32 ? INT32_MIN : 0x8000;
  return {sign, infinity, order == Nan::highest ? infinity + 1 : -infinity - 1, order};
}

// The greatest key of a row that holds every kind of score.
inline std::int32_t best_key(const KeyRule& rule) { return rule.order == Nan::highest ? rule.nan : rule.infinity; }

// A key that every score reaches.
constexpr std::int32_t any_key = INT32_MIN;

inline std::int32_t key_of(std::uint32_t bits, const KeyRule& rule) {
  const auto sign = static_cast<std::uint32_t>(rule.sign);
  const auto magnitude = static_cast<std::int32_t>(bits & (sign - 1));
  const std::int32_t key = bits & sign ? -magnitude : magnitude;
  return magnitude > rule.infinity ? rule.nan : key;
}

}  // namespace tamis::detail::cpu
