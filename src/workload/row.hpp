// The random numbers of one generated row. Counter-based: the number at a position follows from (seed, row, position,
// stream) alone, so any part of a row can be made on its own. Integers, and one rounding at the end of each
// floating-point result, keep the bits equal on every machine; the math library's functions would not.
#pragma once

#include <bit>
#include <cstdint>

namespace tamis::workload {

// The finaliser of splitmix64: every input bit moves every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Row {
 public:
  static constexpr std::uint64_t streams = 16;  // independent numbers that each position has

  constexpr Row(std::uint64_t seed, std::int64_t index, std::int64_t width)
      : index_(index), width_(width), key_(mix(mix(seed + step) + static_cast<std::uint64_t>(index))) {}

  constexpr std::int64_t index() const { return index_; }
  constexpr std::int64_t width() const { return width_; }

  // 64 random bits.
  constexpr std::uint64_t bits(std::int64_t position, std::uint64_t stream = 0) const {
    return mix(key_ + (static_cast<std::uint64_t>(position) * streams + stream) * step);
  }

  // An integer in [0, count), count < 2^32.
  constexpr std::uint32_t below(std::uint32_t count, std::int64_t position, std::uint64_t stream = 0) const {
    return static_cast<std::uint32_t>((bits(position, stream) >> 32) * count >> 32);
  }

  // In [0, 1), a multiple of 2^-53.
  constexpr double uniform(std::int64_t position, std::uint64_t stream = 0) const {
    return static_cast<double>(bits(position, stream) >> 11) * 0x1p-53;
  }

  // Mean 0, deviation 1, in (-8.3, 8.3): 64 coin tosses, their steps smoothed by the difference of two uniform numbers.
  // Uses `stream` and the one after it.
  constexpr double normal(std::int64_t position, std::uint64_t stream = 0) const {
    const std::int64_t tosses = std::popcount(bits(position, stream)) - 32;
    const std::uint64_t smooth = bits(position, stream + 1);
    const std::int64_t fixed_point = tosses * (std::int64_t{1} << 32) + static_cast<std::int64_t>(smooth >> 32) -
                                     static_cast<std::int64_t>(smooth & 0xffffffffu);
    constexpr double deviation = 4.02077936060494;  // sqrt(64 / 4 + 2 / 12)
    return static_cast<double>(fixed_point) * (0x1p-32 / deviation);
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;  // odd, its bits spread: 2^64 over the golden ratio

  std::int64_t index_;
  std::int64_t width_;
  std::uint64_t key_;
};

}  // namespace tamis::workload
