// A share of a row kept in the shared memory of a block, which holds more than its registers would. Threads own the
// scores that Held would give them, and read no others.
#pragma once

#include "stages/held.hpp"

namespace tamis::stages {

template <int count>
struct Kept {
  static constexpr int size = count;
  static constexpr int fours = count / 4;
  static constexpr bool in_registers = false;

  Four* own;            // four r is own[32 * r]
  std::uint32_t valid;  // marks of the scores inside the window
  int first;            // position of score 0

  TAMIS_DEVICE static constexpr std::uint32_t mark(int i) { return Held<count>::mark(i); }
  TAMIS_DEVICE int position(int i) const { return first + i / 4 * 128 + i % 4; }
  TAMIS_DEVICE Four four(int r) const { return own[32 * r]; }
  TAMIS_DEVICE float score(int i) const { return own[i / 4 * 32][i % 4]; }
  TAMIS_DEVICE float score_of(std::uint32_t one) const { return score(count - static_cast<int>(std::bit_width(one))); }

  // Calls visit(score, i) for every marked score.
  template <class Visit>
  TAMIS_DEVICE void for_each(std::uint32_t marks, Visit visit) const {
    TAMIS_ROLL
    for (std::uint32_t left = marks; left != 0;) {
      const int i = count - static_cast<int>(std::bit_width(left));
      left ^= mark(i);
      visit(score(i), i);
    }
  }

  // Makes all scores at positions `end` and beyond invalid.
  TAMIS_DEVICE void cut_off(int end) {
    TAMIS_ROLL
    for (int i = count - 1; i >= 0 && position(i) >= end; --i) {
      own[i / 4 * 32][i % 4] = no_score;
      valid &= ~mark(i);
    }
  }
};

namespace detail {

template <int count, class Block>
TAMIS_DEVICE Kept<count> keep_nothing(Block block, float* room, int first) {
  const int own = block.warp() * 32 * count + 4 * block.lane();
  return {reinterpret_cast<Four*>(room + own), (std::uint32_t{2} << (count - 1)) - 1, first + own};
}

}  // namespace detail

// Begins to bring the block's part of the row, from position `first` on, `size` scores, to `room`; it is there when
// `arrived` has completed its phase. Scores past the row are left as they are.
template <int count, class Block>
TAMIS_DEVICE Kept<count> keep(Block block, const AlignedRow& row, int first, int size, float* room,
                              typename Block::TransactionBarrier& arrived) {
  constexpr int chunk = 8192;
  const auto kept = detail::keep_nothing<count>(block, room, first);
  if (block.rank() == 0) {
    const int scores = std::max(0, std::min(size, row.tail() - first));
    arrived.expect(static_cast<std::uint32_t>(scores) * sizeof(float));
    TAMIS_ROLL
    for (int at = 0; at < scores; at += chunk)
      block.copy_bulk(room + at, row.scores + first + at,
                      static_cast<std::uint32_t>(std::min(chunk, scores - at)) * sizeof(float), arrived);
  }
  if (row.tail() < std::min(first + size, row.readable)) [[unlikely]] {
    const int distance = row.tail() - kept.first;
    if (distance >= 0 && distance < 32 * count && distance % 128 == 0) kept.own[distance / 4] = row.load_tail(block);
  }
  return kept;
}

// The same for a row of any alignment, which each thread copies for itself and need not wait for.
template <int count, class Block>
TAMIS_DEVICE Kept<count> keep(Block block, const Readable& row, int first, int size, float* room,
                              typename Block::TransactionBarrier&) {
  const auto kept = detail::keep_nothing<count>(block, room, first);
  TAMIS_ROLL
  for (int r = 0; r < count / 4; ++r) {
    if (kept.position(4 * r) < first + size) kept.own[32 * r] = row.load(block, kept.position(4 * r));
  }
  return kept;
}

}  // namespace tamis::stages
