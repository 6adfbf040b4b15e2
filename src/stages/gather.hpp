// The selected scores of an ordered source, in ascending position: a scan ranks them, so that each knows its place in
// the output and the ties at the lowest positions are the ones taken.
#pragma once

#include <bit>
#include <cstdint>

#include "stages/scan.hpp"
#include "stages/source.hpp"
#include "stages/threshold.hpp"

namespace tamis::stages {

// How many scores before the ones at hand are above the threshold, and how many are candidates.
struct Tally {
  std::uint32_t above;
  std::uint32_t candidates;

  // Scores taken among those counted.
  TAMIS_DEVICE std::uint32_t taken(Threshold threshold) const {
    return above + (candidates < threshold.remaining ? candidates : threshold.remaining);
  }
};

// A tile is a pack a thread, at most 1024 * 8 scores: both counts of it fit half a word.
TAMIS_DEVICE std::uint32_t packed(Tally tally) { return tally.candidates << 16 | tally.above; }
TAMIS_DEVICE Tally operator+(Tally tally, std::uint32_t pair) {
  return {tally.above + (pair & 0xffffu), tally.candidates + (pair >> 16)};
}

TAMIS_DEVICE Tally one(Threshold threshold, std::uint32_t key) {
  return {threshold.above(key), threshold.candidate(key)};
}

template <class Source>
TAMIS_DEVICE std::uint32_t tally_of(const Source& source, int pack, const typename Source::Pack& scores,
                                    Threshold threshold) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < Source::items; ++i) {
    if (source.holds(pack, i)) sum += packed(one(threshold, source.key(scores[i])));
  }
  return sum;
}

// Which scores of a pack are taken, a bit each, after `before`.
template <class Source>
TAMIS_DEVICE unsigned taken_of(const Source& source, int pack, const typename Source::Pack& scores, Threshold threshold,
                               Tally before) {
  unsigned taken = 0;
#pragma unroll
  for (int i = 0; i < Source::items; ++i) {
    if (!source.holds(pack, i)) continue;
    const Tally through = before + packed(one(threshold, source.key(scores[i])));
    if (through.taken(threshold) > before.taken(threshold)) taken |= 1u << i;
    before = through;
  }
  return taken;
}

// Calls take(rank, pack, i) for every selected score of `source`, ranks in ascending position from before.taken() on.
// Few are taken, so the loop over them is kept apart from the one that compares.
template <class Block, class Source, class Take>
TAMIS_DEVICE void gather_in_order(Block block, ScanScratch& scratch, const Source& source, Threshold threshold,
                                  Tally before, Take take) {
  for (int first = source.begin; first < source.end; first += Block::size) {
    const int pack = first + block.rank();
    typename Source::Pack scores{};
    std::uint32_t mine = 0;
    if (pack < source.end) {
      scores = source.load(block, pack);
      mine = tally_of(source, pack, scores, threshold);
    }
    const Scan sums = scan(block, scratch, mine);
    const Tally mine_before = before + sums.before;
    auto rank = static_cast<int>(mine_before.taken(threshold));
    unsigned taken = mine != 0 ? taken_of(source, pack, scores, threshold, mine_before) : 0;
#pragma unroll 1
    for (; taken != 0; taken &= taken - 1) take(rank++, pack, simt::lowest_bit(taken));
    before = before + sums.total;
  }
  block.sync();
}

// The tally of a whole source.
template <class Block, class Source>
TAMIS_DEVICE Tally tally(Block block, ScanScratch& scratch, const Source& source, Threshold threshold) {
  std::uint32_t above = 0;
  std::uint32_t candidates = 0;
  for_each_unsynced(block, source, [&](Item item, std::uint32_t) {
    above += threshold.above(item.key);
    candidates += threshold.candidate(item.key);
  });
  return {scan(block, scratch, above).total, scan(block, scratch, candidates).total};
}

}  // namespace tamis::stages
