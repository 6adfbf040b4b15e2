// One digit of the candidates' keys, counted.
#pragma once

#include <cstdint>

#include "stages/source.hpp"
#include "stages/threshold.hpp"

namespace tamis::stages {

// 2^11 bins: three digits for 32-bit keys, two for 16-bit ones, in 8 KB.
inline constexpr int bins = 2048;

struct Histogram {
  std::uint32_t count[bins];
};

template <class Block>
TAMIS_DEVICE void clear(Block block, Histogram& histogram) {
  for (int bin = block.rank(); bin < bins; bin += Block::size) histogram.count[bin] = 0;
  block.sync();
}

// Adds the candidates of `source` to a histogram.
template <class Block, class Source>
TAMIS_DEVICE void count(Block block, Histogram& histogram, const Source& source, Threshold threshold) {
  const Digit digit = next_digit(threshold, bins);
  for_each_unsynced(block, source, [&](Item item, std::uint32_t) {
    if (threshold.candidate(item.key)) block.add_one(histogram.count, digit.of(item.key));
  });
  block.sync();
}

}  // namespace tamis::stages
