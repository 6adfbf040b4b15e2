// From counts to a narrower threshold: finds the bin in which the last score to be taken lies.
#pragma once

#include "stages/histogram.hpp"
#include "stages/scan.hpp"

namespace tamis::stages {

struct NarrowScratch {
  ScanScratch scan;
  Threshold threshold;
};

// Each thread sums a range of bins, greatest first; the one in whose range the threshold lies looks for its bin.
// count_of(bin) is the number of candidates in a bin.
template <class Block, class CountOf>
TAMIS_DEVICE Threshold narrow(Block block, NarrowScratch& scratch, Threshold threshold, CountOf count_of) {
  constexpr int mine = (bins + Block::size - 1) / Block::size;
  const int top = bins - 1 - block.rank() * mine;
  std::uint32_t counts[mine];
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < mine; ++i) {
    counts[i] = top - i >= 0 ? count_of(top - i) : 0;
    sum += counts[i];
  }
  std::uint32_t better = scan(block, scratch.scan, sum).before;
  if (better < threshold.remaining && threshold.remaining <= better + sum) {
#pragma unroll
    for (int i = 0; i < mine; ++i) {
      if (better < threshold.remaining && threshold.remaining <= better + counts[i])
        scratch.threshold = narrowed(threshold, next_digit(threshold, bins), top - i, better, counts[i]);
      better += counts[i];
    }
  }
  block.sync();
  return block.uniform(scratch.threshold);
}

}  // namespace tamis::stages
