// f32 bits to the nearest f16 or bf16 bits, ties to even, written out so that every compiler and machine agrees. A NaN
// stays a NaN of its sign and keeps the payload bits that fit.
#pragma once

#include <cstdint>

namespace tamis::workload {

// `value` without its lowest `count` bits, rounded to nearest even; a carry runs on into the exponent as it should.
constexpr std::uint32_t drop_bits(std::uint32_t value, std::uint32_t count) {
  const std::uint32_t odd = (value >> count) & 1;
  return (value + (1u << (count - 1)) - 1 + odd) >> count;
}

constexpr std::uint16_t to_bf16(std::uint32_t f32) {
  const bool nan = (f32 & 0x7fffffffu) > 0x7f800000u;
  if (nan) return static_cast<std::uint16_t>(f32 >> 16 | ((f32 & 0x007f0000u) == 0 ? 1u : 0u));
  return static_cast<std::uint16_t>(drop_bits(f32, 16));
}

constexpr std::uint16_t to_f16(std::uint32_t f32) {
  const std::uint32_t sign = f32 >> 16 & 0x8000u;
  const std::uint32_t magnitude = f32 & 0x7fffffffu;
  const auto with_sign = [sign](std::uint32_t bits) { return static_cast<std::uint16_t>(sign | bits); };
  if (magnitude > 0x7f800000u) {
    const std::uint32_t payload = f32 >> 13 & 0x3ffu;
    return with_sign(0x7c00u | (payload == 0 ? 1u : payload));
  }
  if (magnitude >= 0x477ff000u) return with_sign(0x7c00u);  // from 65520 on the nearest is infinity
  if (magnitude >= 0x38800000u) return with_sign(drop_bits(magnitude - 0x38000000u, 13));
  if (magnitude < 0x33000000u) return with_sign(0);  // below half the least denormal
  const std::uint32_t mantissa = (magnitude & 0x007fffffu) | 0x00800000u;
  return with_sign(drop_bits(mantissa, 126 - (magnitude >> 23)));
}

}  // namespace tamis::workload
