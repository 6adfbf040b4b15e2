// A share of a row kept in the shared memory of a block, which holds more than its registers would. Threads own the
// scores that Held would give them, and read no others.
#pragma once

#include "stages/held.hpp"

namespace tamis::stages {

// `count` scores a thread; so many arrive together, with a barrier of their own, so that the warps whose they are
// begin before all are there.
template <int count, int scores_of_arrival>
struct Kept {
  static constexpr int size = count;
  static constexpr int arrival = scores_of_arrival;  // 0: all that the block keeps
  static constexpr int arrival_warps = arrival / (32 * count);
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

template <class Kept, class Block>
TAMIS_DEVICE Kept keep_nothing(Block block, float* room, int first) {
  const int own = block.warp() * 32 * Kept::size + 4 * block.lane();
  return {reinterpret_cast<Four*>(room + own), (std::uint32_t{2} << (Kept::size - 1)) - 1, first + own};
}

}  // namespace detail

// The barriers of what a block keeps: `copies` each, that many arrivals.
template <int scores, int arrival>
struct Arrivals {
  static constexpr int copy = arrival < 8192 ? arrival : 8192;  // scores of a bulk copy
  static constexpr int copies = arrival / copy;
  static constexpr int count = (scores + arrival - 1) / arrival;
};

// Begins to bring the block's part of the row, from position `first` on, `size` scores, to `room`; when a barrier of
// `arrived` has completed its phase, the scores of its warps are there. Scores past the row are left as they are.
template <class Kept, class Arrivals, class Block>
TAMIS_DEVICE Kept keep(Block block, const AlignedRow& row, int first, int size, float* room,
                       typename Block::TransactionBarrier (&arrived)[Arrivals::count]) {
  const auto kept = detail::keep_nothing<Kept>(block, room, first);
  if (block.rank() < Arrivals::copies * Arrivals::count) {
    const int at = block.rank() * Arrivals::copy;
    const int scores = std::clamp(std::min(size, row.tail() - first) - at, 0, int{Arrivals::copy});
    const auto bytes = static_cast<std::uint32_t>(scores) * sizeof(float);
    auto& barrier = arrived[block.rank() / Arrivals::copies];
    barrier.expect(bytes);
    if (bytes > 0) block.copy_bulk(room + at, row.scores + first + at, bytes, barrier);
  }
  if (row.tail() < std::min(first + size, row.readable)) [[unlikely]] {
    const int distance = row.tail() - kept.first;
    if (distance >= 0 && distance < 32 * Kept::size && distance % 128 == 0)
      kept.own[distance / 4] = row.load_tail(block);
  }
  return kept;
}

// The same for a row of any alignment, which each thread copies for itself and need not wait for.
template <class Kept, class Arrivals, class Block>
TAMIS_DEVICE Kept keep(Block block, const Readable& row, int first, int size, float* room,
                       typename Block::TransactionBarrier (&)[Arrivals::count]) {
  const auto kept = detail::keep_nothing<Kept>(block, room, first);
  TAMIS_ROLL
  for (int r = 0; r < Kept::fours; ++r) {
    if (kept.position(4 * r) < first + size) kept.own[32 * r] = row.load(block, kept.position(4 * r));
  }
  return kept;
}

}  // namespace tamis::stages
