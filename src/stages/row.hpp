// A row's window in global memory as a source. Packs are the 16-byte vectors of memory, counted from the one that
// holds position 0, so that every load is aligned whatever the alignment of the row: the first and the last pack may
// hang over the window's ends, and are then read score by score, never beyond it.
#pragma once

#include <cstdint>

#include "kernels/arguments.hpp"
#include "stages/key.hpp"
#include "stages/source.hpp"
#include "stages/window.hpp"

namespace tamis::stages {

template <ScoreType type>
struct Row {
  static constexpr int items = 16 / sizeof(Bits<type>);
  using Pack = simt::Pack<Bits<type>, items>;

  const Bits<type>* window;  // position 0
  unsigned length;
  unsigned lead;  // scores of pack 0 before the window
  Nan nan;
  int begin;
  int end;

  // Unsigned, so that a score before the window has a position beyond its end.
  TAMIS_DEVICE unsigned offset(int pack, int i) const { return static_cast<unsigned>(pack) * items + i - lead; }
  TAMIS_DEVICE int position(int pack, int i) const { return static_cast<int>(offset(pack, i)); }
  TAMIS_DEVICE bool holds(int pack, int i) const { return offset(pack, i) < length; }
  TAMIS_DEVICE std::uint32_t key(Bits<type> score) const { return key_of<type>(score, nan); }

  template <class Block>
  TAMIS_DEVICE Bits<type> score(Block block, int pack, int i) const {
    return block.load(window + position(pack, i));
  }

  // The first score of a pack, which may lie before the window.
  TAMIS_DEVICE const Bits<type>* at(int pack) const {
    return window + (static_cast<std::int64_t>(pack) * items - lead);
  }

  // The pack lies within the window as a whole.
  TAMIS_DEVICE bool inside(int pack) const {
    return offset(pack, 0) < length && length - offset(pack, 0) >= static_cast<unsigned>(items);
  }

  template <class Block>
  TAMIS_DEVICE Pack load(Block block, int pack) const {
    const Bits<type>* first = at(pack);
    if (inside(pack)) return block.load_once(reinterpret_cast<const Pack*>(first));
    Pack scores{};
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (holds(pack, i)) scores[i] = block.load_once(first + i);
    }
    return scores;
  }
};

template <ScoreType type>
TAMIS_DEVICE Row<type> row_of(const kernels::Arguments& arguments, Window window) {
  const Rows& rows = arguments.rows;
  const auto* first = static_cast<const Bits<type>*>(rows.scores) + (window.row * rows.stride + window.start);
  const auto lead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(first) % 16 / sizeof(Bits<type>));
  const auto length = static_cast<unsigned>(window.length);
  constexpr unsigned items = Row<type>::items;
  const auto packs = static_cast<int>((length + lead + items - 1) / items);
  return {first, length, lead, arguments.shape.nan, 0, length == 0 ? 0 : packs};
}

}  // namespace tamis::stages
