// What is known of the n-th best key. Keys above `high` are taken, keys below `low` are not; of the candidates between
// them the best `remaining` are. Counting a digit narrows the range; it is settled when all candidates are taken or
// when one key is left, whose ties the lowest positions win.
#pragma once

#include <bit>
#include <cstdint>

#include "simt/common.hpp"

namespace tamis::stages {

struct Threshold {
  std::uint32_t low;         // the least candidate key
  std::uint32_t high;        // the greatest
  std::uint32_t remaining;   // candidates still to be taken, at least 1 and at most `candidates`, or 0 of 0
  std::uint32_t candidates;  // scores with a key in [low, high]

  TAMIS_DEVICE bool above(std::uint32_t key) const { return key > high; }
  TAMIS_DEVICE bool candidate(std::uint32_t key) const { return key >= low && key <= high; }
  TAMIS_DEVICE bool settled() const { return low == high || all_taken(); }
  TAMIS_DEVICE bool all_taken() const { return remaining == candidates; }
};

// A slice of a key: bins of 2^shift keys from `low` on.
struct Digit {
  std::uint32_t low;
  int shift;

  TAMIS_DEVICE std::uint32_t of(std::uint32_t key) const { return (key - low) >> shift; }
};

// The finest digit whose `bins`, a power of two, cover all candidates.
TAMIS_DEVICE Digit next_digit(Threshold threshold, int bins) {
  const int excess = std::bit_width(threshold.high - threshold.low) - simt::lowest_bit(static_cast<unsigned>(bins));
  return {threshold.low, excess > 0 ? excess : 0};
}

// The threshold once it is known to lie in `bin`, with `better` candidates in greater bins and `inside` in it.
TAMIS_DEVICE Threshold narrowed(Threshold threshold, Digit digit, std::uint32_t bin, std::uint32_t better,
                                std::uint32_t inside) {
  const std::uint32_t low = digit.low + (bin << digit.shift);
  const std::uint32_t last = low + ((std::uint32_t{1} << digit.shift) - 1);
  return {low, last < threshold.high ? last : threshold.high, threshold.remaining - better, inside};
}

}  // namespace tamis::stages
