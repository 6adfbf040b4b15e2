// Where the threshold lies, guessed from a sample without sorting it: the least of the maxima of groups of scores is
// almost surely below the threshold when one group in three has nothing above it, and the greatest of the lesser of two
// maxima almost surely above. Both survive a few outliers and know nothing of how scores are distributed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "simt/arithmetic.hpp"
#include "stages/key.hpp"

namespace tamis::stages {

// Keys between which the threshold is expected.
struct Bounds {
  std::uint32_t low;
  std::uint32_t high;
};

// How a sample is grouped: groups of 4 * 2^doublings scores, about as many as hold one that is selected.
struct Grouping {
  int doublings;
  bool by_minimum;  // most are selected: the least of four stands for a group
  bool sparse;      // so few are selected that the sample has too few groups that hold one

  TAMIS_DEVICE static Grouping of(int width, int k, int most_doublings) {
    const unsigned scores_a_taken = static_cast<unsigned>(width) / static_cast<unsigned>(k);
    if (scores_a_taken < 2) return {0, true, false};
    const int doublings = std::min(most_doublings, static_cast<int>(std::bit_width((scores_a_taken - 1) / 6)));
    return {doublings, false, 8u << doublings < scores_a_taken};
  }
};

namespace detail {

TAMIS_DEVICE std::uint32_t key_of_score(float score) {
  return key_of<ScoreType::f32>(std::bit_cast<std::uint32_t>(score), Nan::lowest);
}

// A group of no scores, or of none above -inf, says nothing of the lower bound.
TAMIS_DEVICE std::uint32_t low_key(float of_group) {
  constexpr std::uint32_t minus_infinity = ~(Score<ScoreType::f32>::infinity | 0x80000000u);
  const std::uint32_t key = key_of_score(of_group);
  return key > minus_infinity ? key : ~0u;
}

TAMIS_DEVICE float of_four(const float (&score)[4], Grouping grouping) {
  return grouping.by_minimum ? simt::lesser(simt::lesser(score[0], score[1]), simt::lesser(score[2], score[3]))
                             : simt::greater(simt::greater(score[0], score[1]), simt::greater(score[2], score[3]));
}

}  // namespace detail

// The bounds that one warp's sample gives, a power of two of groups of four scores a lane. Lanes far apart are grouped,
// so that a group can draw on all of the row. Equal on all lanes.
template <int fours, class Block>
TAMIS_DEVICE Bounds bounds_of(Block block, const float (&sample)[fours][4], Grouping grouping) {
  float group[fours];
  TAMIS_UNROLL
  for (int i = 0; i < fours; ++i) group[i] = detail::of_four(sample[i], grouping);
  int doublings = grouping.doublings;
  int own = fours;  // groups of this lane alone
  TAMIS_UNROLL
  for (int half = fours / 2; half >= 1; half /= 2) {
    if (doublings == 0) continue;
    TAMIS_UNROLL
    for (int i = 0; i < half; ++i) group[i] = simt::greater(group[i], group[i + half]);
    own = half;
    --doublings;
  }
  int distance = Block::lanes / 2;
  for (; doublings > 0 && distance > 0; --doublings, distance /= 2)
    group[0] = simt::greater(group[0], block.shuffle_xor(group[0], distance));
  const float neighbour = block.shuffle_xor(group[0], distance);
  std::uint32_t low = detail::low_key(group[0]);
  float high = grouping.sparse ? group[0] : simt::lesser(group[0], neighbour);
  TAMIS_UNROLL
  for (int i = 1; i < fours; ++i) {
    if (i >= own) continue;
    low = std::min(low, detail::low_key(group[i]));
    high = simt::greater(high, grouping.sparse ? group[i] : simt::lesser(group[i], group[i - 1]));
  }
  return {block.reduce_min(low), block.reduce_max(detail::key_of_score(high))};
}

}  // namespace tamis::stages
