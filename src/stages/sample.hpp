// A guess at the threshold from a sample of the row, for methods that keep only scores above it. What follows never
// trusts the guess: a bad one costs time, not correctness.
#pragma once

#include <cstdint>

#include "stages/row.hpp"
#include "stages/settle.hpp"

namespace tamis::stages {

// Packs of a row at hashed places, one in each of `packs` equal strides, so that no period in the data meets the
// sample.
template <ScoreType type>
struct Sample {
  static constexpr int items = Row<type>::items;
  static constexpr int ahead = 2;  // 1024 packs by 512 threads: all at once
  using Pack = typename Row<type>::Pack;

  Row<type> row;
  int stride;  // packs of the row for each of the sample
  int begin;
  int end;

  // Pack 0 of the row may hang over the window's start, so the strides begin behind it.
  TAMIS_DEVICE int place(int pack) const {
    const std::uint32_t hash = static_cast<std::uint32_t>(pack + 1) * 0x9e3779b1u;
    const auto within = static_cast<std::uint32_t>(std::uint64_t{hash} * static_cast<std::uint32_t>(stride) >> 32);
    return row.begin + 1 + pack * stride + static_cast<int>(within);
  }
  TAMIS_DEVICE int position(int pack, int i) const { return row.position(place(pack), i); }
  TAMIS_DEVICE bool holds(int, int) const { return true; }
  TAMIS_DEVICE std::uint32_t key(Bits<type> score) const { return row.key(score); }

  template <class Block>
  TAMIS_DEVICE Pack load(Block block, int pack) const {
    return row.load(block, place(pack));
  }
};

// A sample of `packs` packs; empty where the row has too few for a guess to be worth it.
template <ScoreType type>
TAMIS_DEVICE Sample<type> sample_of(const Row<type>& row, int packs) {
  const int stride = (row.end - row.begin - 2) / packs;
  return {row, stride, 0, stride >= 8 ? packs : 0};
}

// How many scores of the sample are to be kept so that all but surely `selected` of the row's are: four standard
// deviations more than expected, 4 sqrt(e) <= e / 8 + 32, written without a root.
TAMIS_DEVICE int sample_rank(int selected, unsigned length, int sampled) {
  const auto expected = static_cast<int>(static_cast<std::int64_t>(selected) * sampled / length);
  return expected + expected / 8 + 34;
}

// A key that about `selected` scores of the row and some more are likely to reach; 0, which all reach, if there is
// none.
template <class Block, ScoreType type>
TAMIS_DEVICE std::uint32_t guess_bound(Block block, SettleScratch& scratch, const Row<type>& row, int selected,
                                       int packs) {
  const Sample<type> sample = sample_of(row, packs);
  const int sampled = sample.end * Sample<type>::items;
  if (sampled == 0) return 0;
  const int rank = sample_rank(selected, row.length, sampled);
  if (rank >= sampled) return 0;
  return settle(block, scratch, sample, open_threshold(greatest_key<type>, sampled, rank)).low;
}

}  // namespace tamis::stages
