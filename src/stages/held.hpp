// A share of a row held in the registers of a block, four scores side by side, and marks on the scores: a bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/arguments.hpp"
#include "simt/common.hpp"

namespace tamis::stages {

using Four = simt::Pack<float, 4>;
inline constexpr float no_score = std::numeric_limits<float>::quiet_NaN();

// Scores of a row from position 0 on, `readable` of which are in the matrix; those beyond the window hold anything.
struct Readable {
  const float* scores;
  int readable;

  TAMIS_DEVICE static Readable of(const kernels::Arguments& arguments, int row, int start) {
    const auto width = static_cast<int>(arguments.shape.width);
    const bool inside = start >= 0 && start <= width;
    return {static_cast<const float*>(arguments.rows.scores) + (row * arguments.rows.stride + (inside ? start : 0)),
            inside ? width - start : 0};
  }

  TAMIS_DEVICE bool aligned() const { return reinterpret_cast<std::uintptr_t>(scores) % 16 == 0; }

  // Scores position ... position + 3, a multiple of four, NaN where the matrix has none.
  template <class Block>
  TAMIS_DEVICE Four load(Block block, int position) const {
    const float* first = scores + position;
    if (position + 4 <= readable && aligned()) [[likely]]
      return block.load_once(reinterpret_cast<const Four*>(first));
    Four four{no_score, no_score, no_score, no_score};
    TAMIS_UNROLL
    for (int i = 0; i < 4; ++i) {
      if (position + i < readable) four[i] = block.load_once(first + i);
    }
    return four;
  }
};

// What a thread holds. A warp's scores are contiguous, so marks have an order by position within it.
template <int count>
struct Held {
  static constexpr int fours = count / 4;

  float score[count];
  std::uint32_t valid;  // marks of the scores inside the window
  int first;            // position of score 0

  TAMIS_DEVICE static constexpr std::uint32_t mark(int i) { return std::uint32_t{1} << (count - 1 - i); }
  TAMIS_DEVICE int position(int i) const { return first + i / 4 * 128 + i % 4; }

  // One marked score, picked without an index into registers.
  TAMIS_DEVICE float score_of(std::uint32_t one) const {
    float picked = score[0];
    TAMIS_UNROLL
    for (int i = 1; i < count; ++i) picked = one & mark(i) ? score[i] : picked;
    return picked;
  }

  // Calls visit(i) for every marked score, i being a constant to the compiler.
  template <class Visit>
  TAMIS_DEVICE static void for_each(std::uint32_t marks, Visit visit) {
    if (marks == 0) return;
    TAMIS_UNROLL
    for (int i = 0; i < count; ++i) {
      if (marks & mark(i)) visit(i);
    }
  }
};

// The block's part of the row, from position `first` on, `size` scores.
template <int count, class Block>
TAMIS_DEVICE Held<count> hold(Block block, const Readable& row, int first, int size) {
  static_assert(Block::lanes == 32 && count <= 32);
  Held<count> held;
  const int of_warp = first + block.warp() * 32 * count;
  held.first = of_warp + 4 * block.lane();
  held.valid = (std::uint32_t{2} << (count - 1)) - 1;
  const bool whole = of_warp + 32 * count <= std::min(first + size, row.readable) && row.aligned();
  TAMIS_UNROLL
  for (int r = 0; r < Held<count>::fours; ++r) {
    const int position = held.first + r * 128;
    Four four{no_score, no_score, no_score, no_score};
    if (whole)
      four = block.load_once(reinterpret_cast<const Four*>(row.scores + position));
    else if (position < first + size) [[unlikely]]
      four = row.load(block, position);
    TAMIS_UNROLL
    for (int i = 0; i < 4; ++i) held.score[4 * r + i] = four[i];
  }
  return held;
}

// Makes all scores at positions `end` and beyond invalid.
template <int count>
TAMIS_DEVICE void cut_off(Held<count>& held, int end) {
  TAMIS_UNROLL
  for (int i = 0; i < count; ++i) {
    if (held.position(i) < end) continue;
    held.score[i] = no_score;
    held.valid &= ~Held<count>::mark(i);
  }
}

// The sum over the warps before this one of the `value` of their last lanes. Before `of_warp` is used again: sync().
template <class Block, int warps>
TAMIS_DEVICE std::uint32_t before_warp(Block block, std::uint32_t (&of_warp)[warps], std::uint32_t value) {
  if (block.lane() == Block::lanes - 1) of_warp[block.warp()] = value;
  block.sync();
  return block.reduce_add(block.lane() < block.warp() ? of_warp[block.lane()] : 0u);
}

template <int count>
TAMIS_DEVICE std::uint32_t four_of(std::uint32_t marks, int four) {
  return marks >> (count - 4 - 4 * four) & 15u;
}

// Of the marks those that are among the first `needed` of the row's, `before` of which other blocks hold. Leaves the
// block synchronised.
template <int count, class Block, int warps>
TAMIS_DEVICE std::uint32_t first_by_position(Block block, std::uint32_t (&of_warp)[warps], std::uint32_t marks,
                                             std::uint32_t before, std::uint32_t needed) {
  constexpr int fours = Held<count>::fours;
  std::uint32_t through[fours];  // of four r, this lane's and those of lower lanes
  std::uint32_t all = 0;
  TAMIS_UNROLL
  for (int r = 0; r < fours; ++r) {
    through[r] = block.scan_add(static_cast<std::uint32_t>(std::popcount(four_of<count>(marks, r))));
    all += block.broadcast(through[r], Block::lanes - 1);
  }
  block.sync();
  std::uint32_t rank = before + before_warp(block, of_warp, all);
  TAMIS_UNROLL
  for (int r = 0; r < fours; ++r) {
    std::uint32_t at = rank + through[r] - std::popcount(four_of<count>(marks, r));
    TAMIS_UNROLL
    for (int i = 0; i < 4; ++i) {
      if (!(marks & Held<count>::mark(4 * r + i))) continue;
      if (at++ >= needed) marks &= ~Held<count>::mark(4 * r + i);
    }
    rank += block.broadcast(through[r], Block::lanes - 1);
  }
  block.sync();
  return marks;
}

}  // namespace tamis::stages
