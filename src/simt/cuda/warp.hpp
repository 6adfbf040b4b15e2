// Exchange between the 32 lanes of a warp on NVIDIA.
#pragma once

#include "simt/common.hpp"

namespace tamis::simt::cuda {

using Mask = std::uint32_t;
inline constexpr Mask every_lane = ~Mask{0};

// Applies `exchange` (one 32-bit word in, one out) to every word of a value.
template <class T, class Exchange>
TAMIS_DEVICE T exchange_words(T value, Exchange exchange) {
  Words<T> words = to_words(value);
  TAMIS_UNROLL
  for (int i = 0; i < Words<T>::size; ++i) words.word[i] = exchange(words.word[i]);
  return from_words<T>(words);
}

// One step of an inclusive scan: adds the value `distance` lanes below, where there is such a lane.
TAMIS_DEVICE std::uint32_t scan_step(std::uint32_t value, int distance) {
  std::uint32_t sum;
  asm volatile(
      "{ .reg .pred p; .reg .u32 below; shfl.sync.up.b32 below|p, %1, %2, 0, 0xffffffff; mov.u32 %0, %1; "
      "@p add.u32 %0, below, %0; }"
      : "=&r"(sum)
      : "r"(value), "r"(distance));
  return sum;
}

template <class T>
TAMIS_DEVICE T scan_add(T value) {
  TAMIS_UNROLL
  for (int distance = 1; distance < 32; distance *= 2) {
    if constexpr (sizeof(T) == 4 && std::is_integral_v<T>) {
      value = static_cast<T>(scan_step(static_cast<std::uint32_t>(value), distance));
    } else {
      const T below = __shfl_up_sync(every_lane, value, distance);
      value += static_cast<int>(threadIdx.x % 32) >= distance ? below : T{};
    }
  }
  return value;
}

template <class T, class Combine>
TAMIS_DEVICE T reduce(T value, Combine combine) {
  TAMIS_UNROLL
  for (int distance = 16; distance > 0; distance /= 2) {
    value = combine(value,
                    exchange_words(value, [&](std::uint32_t w) { return __shfl_xor_sync(every_lane, w, distance); }));
  }
  return value;
}

template <class T>
inline constexpr bool has_redux = sizeof(T) == 4 && std::is_integral_v<T>;

}  // namespace tamis::simt::cuda
