// Arithmetic that a GPU does in one instruction and C++ has no word for.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "simt/common.hpp"

namespace tamis::simt {

// a * b + c, rounded once and clamped to [0, 1]; 0 where it is NaN.
TAMIS_DEVICE float saturated_fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __saturatef(__fmaf_rn(a, b, c));
#elif defined(__HIP__)
  return __builtin_fminf(__builtin_fmaxf(__builtin_fmaf(a, b, c), 0.0f), 1.0f);
#else
  return std::fmin(std::fmax(std::fma(a, b, c), 0.0f), 1.0f);
#endif
}

TAMIS_DEVICE float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#elif defined(__HIP__)
  return __builtin_fmaf(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

// About 1 / number, for numbers whose inverse is a normal one.
TAMIS_DEVICE float about_inverse(float number) {
#if defined(__CUDA_ARCH__)
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(number));
  return inverse;
#else
  return 1.0f / number;
#endif
}

// The lesser and the greater of two numbers; of a number and NaN the number.
TAMIS_DEVICE float lesser(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return __builtin_fminf(a, b);
#endif
}
TAMIS_DEVICE float greater(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return __builtin_fmaxf(a, b);
#endif
}

// The same number, of which the compiler knows nothing: what was worked out from it before is worked out again, not
// kept in registers.
TAMIS_DEVICE float forgotten(float number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+f"(number));
#endif
  return number;
}

TAMIS_DEVICE int forgotten(int number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

// The bits moved up by one, with the sign of `number` below them.
TAMIS_DEVICE std::uint32_t append_sign(std::uint32_t bits, float number) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(std::bit_cast<std::uint32_t>(number), bits, 1);
#else
  return bits << 1 | std::bit_cast<std::uint32_t>(number) >> 31;
#endif
}

}  // namespace tamis::simt
