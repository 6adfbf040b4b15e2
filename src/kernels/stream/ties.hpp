// A key so common that its scores were not kept: the first of them by position are looked for from the row's start, and
// the search ends when there are enough, which is soon because they are common.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/stream/put.hpp"
#include "stages/row.hpp"
#include "stages/scan.hpp"

namespace tamis::kernels::stream {

// Which scores of consecutive packs have the key, a bit each.
template <int packs, class Block, ScoreType type>
TAMIS_DEVICE std::uint32_t tied_in(Block block, const stages::Row<type>& row, int first, std::uint32_t key) {
  constexpr int items = stages::Row<type>::items;
  typename stages::Row<type>::Pack scores[packs];
  TAMIS_UNROLL
  for (int i = 0; i < packs; ++i) {
    if (first + i < row.end) scores[i] = row.load(block, first + i);
  }
  std::uint32_t tied = 0;
  TAMIS_UNROLL
  for (int i = 0; i < packs; ++i) {
    TAMIS_UNROLL
    for (int item = 0; item < items; ++item) {
      const bool equal = first + i < row.end && row.holds(first + i, item) && row.key(scores[i][item]) == key;
      tied |= equal ? 1u << (i * items + item) : 0u;
    }
  }
  return tied;
}

// Puts the first `count` positions of `key` at entries from `rank` on; false where the row has fewer.
template <class Block, ScoreType type>
TAMIS_DEVICE bool put_ties(Block block, const Arguments& arguments, stages::ScanScratch& scratch,
                           const Itinerary<type>& itinerary, std::uint32_t key, int rank, int count) {
  constexpr int items = stages::Row<type>::items;
  constexpr int packs = 16 / items;  // of a thread, side by side
  const stages::Row<type> row = stages::row_of<type>(arguments, itinerary.window);
  const stages::Target<type> target = itinerary.target(arguments);
  const Putter<type> putter(arguments, itinerary);
  int found = 0;
  for (int tile = 0; tile < row.end && found < count; tile += packs * Block::size) {
    const int first = tile + packs * block.rank();
    std::uint32_t tied = tied_in<packs>(block, row, first, key);
    const stages::Scan sums = stages::scan(block, scratch, static_cast<std::uint32_t>(std::popcount(tied)));
    int at = found + static_cast<int>(sums.before);
    TAMIS_ROLL
    for (; tied != 0 && at < count; tied &= tied - 1, ++at) {
      const int bit = simt::lowest_bit(tied);
      const int position = row.position(first + bit / items, bit % items);
      const auto score = putter.more() ? row.score(block, first + bit / items, bit % items) : stages::Bits<type>{};
      const std::int32_t page = putter.quick() ? putter.page_of(block, position) : -1;
      if (static_cast<std::uint32_t>(page) > putter.greatest_page())
        target.put(block, rank + at, position, score);
      else
        putter.put(page, rank + at, position, score);
    }
    found += static_cast<int>(sums.total);
  }
  return found >= count;
}

}  // namespace tamis::kernels::stream
