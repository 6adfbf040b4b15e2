// Ties of a source that is not in the order of positions: the candidates at the threshold are narrowed once more, by
// their positions, and the lowest are taken. (An ordered source needs none of this: see gather.hpp.)
#pragma once

#include <cstdint>

#include "stages/settle.hpp"

namespace tamis::stages {

// The greatest key for the lowest position.
TAMIS_DEVICE std::uint32_t position_key(int position) { return ~static_cast<std::uint32_t>(position); }

// The candidates of a source at a settled threshold, by position.
template <class Source>
struct Tied {
  Source source;
  Threshold threshold;
};

template <class Block, class Source, class Visit>
TAMIS_DEVICE void for_each_unsynced(Block block, const Tied<Source>& tied, Visit visit) {
  for_each_unsynced(block, tied.source, [&](Item item, std::uint32_t score) {
    if (tied.threshold.candidate(item.key)) visit(Item{position_key(item.position), item.position}, score);
  });
}

// Exactly which items are selected.
struct Chosen {
  Threshold threshold;
  std::uint32_t least_position_key;  // of the candidates that are taken

  TAMIS_DEVICE bool takes(Item item) const {
    return threshold.above(item.key) ||
           (threshold.candidate(item.key) && position_key(item.position) >= least_position_key);
  }
};

// Settles `threshold` over the source, then its ties. Leaves the block synchronised.
template <class Block, class Source>
TAMIS_DEVICE Chosen choose(Block block, SettleScratch& scratch, const Source& source, Threshold threshold) {
  threshold = settle(block, scratch, source, threshold);
  if (threshold.all_taken()) return {threshold, 0};
  const Threshold open{0, ~std::uint32_t{0}, threshold.remaining, threshold.candidates};
  return {threshold, settle(block, scratch, Tied<Source>{source, threshold}, open).low};
}

}  // namespace tamis::stages
