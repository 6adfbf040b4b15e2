// Narrowing until the threshold is settled: the method every other one falls back on. It reads the source once a
// digit, three times at most, and is right on every input; nothing in it can overflow.
#pragma once

#include "stages/key.hpp"
#include "stages/narrow.hpp"
#include "stages/window.hpp"

namespace tamis::stages {

struct SettleScratch {
  Histogram histogram;
  NarrowScratch narrow;
};

// All of `length` scores are candidates, of which `selected` are to be taken.
TAMIS_DEVICE Threshold open_threshold(std::uint32_t greatest, int length, int selected) {
  return {0, greatest, static_cast<std::uint32_t>(selected), static_cast<std::uint32_t>(length)};
}

template <ScoreType type>
TAMIS_DEVICE Threshold open_threshold(Window window) {
  return open_threshold(greatest_key<type>, window.length, window.selected);
}

template <class Block, class Source>
TAMIS_DEVICE Threshold settle(Block block, SettleScratch& scratch, const Source& source, Threshold threshold) {
  while (!threshold.settled()) {
    clear(block, scratch.histogram);
    count(block, scratch.histogram, source, threshold);
    threshold = narrow(block, scratch.narrow, threshold, [&](int bin) { return scratch.histogram.count[bin]; });
  }
  return threshold;
}

}  // namespace tamis::stages
