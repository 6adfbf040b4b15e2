// A guess at the threshold for lists of little room: a larger sample where that is needed to come close, taken a line
// of memory at a time, since a part of a line costs as much as all of it.
#pragma once

#include <cstdint>

#include "stages/row.hpp"
#include "stages/settle.hpp"

namespace tamis::kernels::wide {

inline constexpr int line_packs = 8;  // 128 bytes, a line of the L2

// Lines of a row at hashed places, one in each of equal strides. The packs of the sample follow those of its lines.
template <ScoreType type>
struct LineSample {
  static constexpr int items = stages::Row<type>::items;
  using Pack = typename stages::Row<type>::Pack;

  stages::Row<type> row;
  int first;   // pack of the row that begins a line
  int stride;  // lines of the row for each of the sample
  int begin;
  int end;

  TAMIS_DEVICE int place(int pack) const {
    const auto line = static_cast<std::uint32_t>(pack / line_packs);
    const std::uint32_t hash = (line + 1) * 0x9e3779b1u;
    const auto within = static_cast<std::uint32_t>(std::uint64_t{hash} * static_cast<std::uint32_t>(stride) >> 32);
    return first + static_cast<int>(line * stride + within) * line_packs + pack % line_packs;
  }
  TAMIS_DEVICE int position(int pack, int i) const { return row.position(place(pack), i); }
  TAMIS_DEVICE bool holds(int, int) const { return true; }
  TAMIS_DEVICE std::uint32_t key(stages::Bits<type> score) const { return row.key(score); }

  template <class Block>
  TAMIS_DEVICE Pack load(Block block, int pack) const {
    return row.load(block, place(pack));
  }
};

// The first line that lies inside the window with a pack to spare, so that all packs of the sample do.
template <ScoreType type>
TAMIS_DEVICE int first_line(const stages::Row<type>& row) {
  const auto address = reinterpret_cast<std::uintptr_t>(row.window) / 16;
  return 1 + static_cast<int>((line_packs - 1 - address % line_packs) % line_packs);
}

// One line in `stride` of the row; empty where that leaves too few to guess from.
template <ScoreType type>
TAMIS_DEVICE LineSample<type> sample_of(const stages::Row<type>& row, int stride) {
  const int first = row.begin + first_line(row);
  const int lines = row.end - first > line_packs ? (row.end - 1 - first) / line_packs : 0;
  return {row, first, stride, 0, lines / stride * line_packs};
}

// How many scores of a sample of one in `stride` are kept, so that all but surely `selected` of the row's are: what is
// expected and four standard deviations, 4 sqrt(e) <= e / 8 + 32.
TAMIS_DEVICE int kept_of_sample(int selected, int stride) {
  const int expected = selected / stride;
  return expected + expected / 8 + 34;
}

// The largest stride whose guess is all but surely reached by no more scores than there is room for; 0: none is.
TAMIS_DEVICE int stride_for(int length, int selected, std::uint32_t room) {
  TAMIS_ROLL
  for (int stride = 64; stride >= 4; stride /= 2) {
    const int kept = kept_of_sample(selected, stride);
    const auto listed = static_cast<std::uint32_t>(kept + kept / 16 + 34) * static_cast<std::uint32_t>(stride);
    if (kept < length / stride / 2 && listed <= room) return stride;
  }
  return 0;
}

// A key that `selected` scores of the row all but surely reach, and not many more; 0, which all reach, if there is
// none.
template <class Block, ScoreType type>
TAMIS_DEVICE std::uint32_t guess_bound(Block block, stages::SettleScratch& scratch, const stages::Row<type>& row,
                                       int selected, std::uint32_t room) {
  const int stride = stride_for(static_cast<int>(row.length), selected, room);
  if (stride == 0) return 0;
  const auto sample = sample_of(row, stride);
  const int sampled = sample.end * LineSample<type>::items;
  const int kept = kept_of_sample(selected, stride);
  if (kept >= sampled) return 0;
  return stages::settle(block, scratch, sample, stages::open_threshold(stages::greatest_key<type>, sampled, kept)).low;
}

}  // namespace tamis::kernels::wide
