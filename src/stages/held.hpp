// A share of a row held in the registers of a block, four scores side by side, and marks on the scores: a bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/arguments.hpp"
#include "simt/arithmetic.hpp"
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

// The same where every row is aligned to four scores, which needs no looking at.
struct AlignedRow {
  const float* scores;
  int readable;

  TAMIS_DEVICE static constexpr bool aligned() { return true; }

  // A multiple of four that has three scores behind it.
  template <class Block>
  TAMIS_DEVICE Four load(Block block, int position) const {
    return block.load_once(reinterpret_cast<const Four*>(scores + position));
  }

  // The last, incomplete four begins at tail() where there is one.
  TAMIS_DEVICE int tail() const { return readable / 4 * 4; }
  template <class Block>
  TAMIS_DEVICE Four load_tail(Block block) const {
    Four four{no_score, no_score, no_score, no_score};
    TAMIS_UNROLL
    for (int i = 0; i < 3; ++i) {
      if (tail() + i < readable) four[i] = block.load_once(scores + tail() + i);
    }
    return four;
  }
};

// What a thread holds. A warp's scores are contiguous, so marks have an order by position within it.
template <int count>
struct Held {
  static constexpr int size = count;
  static constexpr int fours = count / 4;
  static constexpr bool in_registers = true;
  static constexpr int arrival = 0;  // each thread waits for its own

  Four packs[fours];
  std::uint32_t valid;  // marks of the scores inside the window
  int first;            // position of score 0

  TAMIS_DEVICE static constexpr std::uint32_t mark(int i) { return std::uint32_t{1} << (count - 1 - i); }
  TAMIS_DEVICE int position(int i) const { return first + i / 4 * 128 + i % 4; }

  TAMIS_DEVICE float score(int i) const { return packs[i / 4][i % 4]; }
  TAMIS_DEVICE Four four(int r) const { return packs[r]; }

  // One marked score, picked without an index into registers.
  TAMIS_DEVICE float score_of(std::uint32_t one) const {
    float picked = score(0);
    TAMIS_UNROLL
    for (int i = 1; i < count; ++i) picked = one & mark(i) ? score(i) : picked;
    return picked;
  }

  // Calls visit(score, i) for every marked score, i being a constant to the compiler. Two visits share nothing: there
  // are no registers for as many keys as scores.
  template <class Visit>
  TAMIS_DEVICE void for_each(std::uint32_t marks, Visit visit) const {
    if (marks == 0) return;
    TAMIS_UNROLL
    for (int i = 0; i < count; ++i) {
      if (marks & mark(i)) visit(simt::forgotten(score(i)), i);
    }
  }

  // Makes all scores at positions `end` and beyond invalid.
  TAMIS_DEVICE void cut_off(int end) {
    TAMIS_UNROLL
    for (int i = 0; i < count; ++i) {
      if (position(i) < end) continue;
      packs[i / 4][i % 4] = no_score;
      valid &= ~mark(i);
    }
  }
};

namespace detail {

// Where the thread's scores lie in the block's part of the row, and nothing of them yet.
template <int count, class Block>
TAMIS_DEVICE Held<count> hold_nothing(Block block, int first) {
  static_assert(Block::lanes == 32 && count <= 32);
  Held<count> held;
  held.first = first + block.warp() * 32 * count + 4 * block.lane();
  held.valid = (std::uint32_t{2} << (count - 1)) - 1;
  return held;
}

}  // namespace detail

// The block's part of the row, from position `first` on, `size` scores.
template <int count, class Block>
TAMIS_DEVICE Held<count> hold(Block block, const AlignedRow& row, int first, int size) {
  auto held = detail::hold_nothing<count>(block, first);
  const int end = std::min(first + size, row.readable);
  TAMIS_UNROLL
  for (int r = 0; r < Held<count>::fours; ++r) {
    held.packs[r] = {no_score, no_score, no_score, no_score};
    if (held.position(4 * r) + 4 <= end) held.packs[r] = row.load(block, held.position(4 * r));
  }
  if (row.tail() < end) [[unlikely]] {
    const Four tail = row.load_tail(block);
    TAMIS_UNROLL
    for (int r = 0; r < Held<count>::fours; ++r) {
      if (held.position(4 * r) == row.tail()) held.packs[r] = tail;
    }
  }
  return held;
}

template <int count, class Block>
TAMIS_DEVICE Held<count> hold(Block block, const Readable& row, int first, int size) {
  auto held = detail::hold_nothing<count>(block, first);
  const int of_warp = held.first - 4 * block.lane();
  const bool whole = of_warp + 32 * count <= std::min(first + size, row.readable) && row.aligned();
  TAMIS_UNROLL
  for (int r = 0; r < Held<count>::fours; ++r) {
    const int position = held.position(4 * r);
    held.packs[r] = {no_score, no_score, no_score, no_score};
    if (whole)
      held.packs[r] = block.load_once(reinterpret_cast<const Four*>(row.scores + position));
    else if (position < first + size) [[unlikely]]
      held.packs[r] = row.load(block, position);
  }
  return held;
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

// Of the marks those that are among the first `needed` of the row's, `before` of which other blocks hold. A lane's
// marks are counted by four, a byte each: of a warp no four has more than 128. Leaves the block synchronised.
template <int count, class Block, int warps>
TAMIS_DEVICE std::uint32_t first_by_position(Block block, std::uint32_t (&of_warp)[warps], std::uint32_t marks,
                                             std::uint32_t before, std::uint32_t needed) {
  constexpr int fours = count / 4;
  constexpr int words = (fours + 3) / 4;
  std::uint32_t own[words] = {};
  TAMIS_UNROLL
  for (int r = 0; r < fours; ++r)
    own[r / 4] += static_cast<std::uint32_t>(std::popcount(four_of<count>(marks, r))) << r % 4 * 8;
  std::uint32_t lower[words];  // of lower lanes
  std::uint32_t of_four[words];
  std::uint32_t all = 0;
  TAMIS_UNROLL
  for (int w = 0; w < words; ++w) {
    const std::uint32_t through = block.scan_add(own[w]);
    lower[w] = through - own[w];
    of_four[w] = block.broadcast(through, Block::lanes - 1);
    TAMIS_UNROLL
    for (int byte = 0; byte < 4; ++byte) all += of_four[w] >> byte * 8 & 255u;
  }
  block.sync();
  std::uint32_t rank = before + before_warp(block, of_warp, all);
  TAMIS_UNROLL
  for (int r = 0; r < fours; ++r) {
    std::uint32_t at = rank + (lower[r / 4] >> r % 4 * 8 & 255u);
    TAMIS_UNROLL
    for (int i = 0; i < 4; ++i) {
      if (!(marks & Held<count>::mark(4 * r + i))) continue;
      if (at++ >= needed) marks &= ~Held<count>::mark(4 * r + i);
    }
    rank += of_four[r / 4] >> r % 4 * 8 & 255u;
  }
  block.sync();
  return marks;
}

}  // namespace tamis::stages
