// A key so common that its scores were not kept: the first of them by position are looked for from the row's start, and
// the search ends when there are enough, which is soon because they are common.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/stream/survivors.hpp"
#include "stages/row.hpp"
#include "stages/scan.hpp"

namespace tamis::kernels::stream {

// Which scores of consecutive packs have the key, a bit each. Packs within the window as a whole are loaded together.
template <int packs, class Block, ScoreType type>
TAMIS_DEVICE std::uint32_t tied_in(Block block, const stages::Row<type>& row, int first, std::uint32_t key) {
  constexpr int items = stages::Row<type>::items;
  using Pack = typename stages::Row<type>::Pack;
  std::uint32_t tied = 0;
  if (row.inside(first) && row.inside(first + packs - 1)) {
    const auto* scores = reinterpret_cast<const Pack*>(row.window + row.position(first, 0));
    Pack pack[packs];
    TAMIS_UNROLL
    for (int i = 0; i < packs; ++i) pack[i] = block.load_once(scores + i);
    TAMIS_UNROLL
    for (int i = 0; i < packs * items; ++i) tied |= row.key(pack[i / items][i % items]) == key ? 1u << i : 0u;
  } else {
    TAMIS_ROLL
    for (int i = 0; i < packs * items; ++i) {
      const bool held = row.holds(first + i / items, i % items);
      tied |= held && row.key(row.score(block, first + i / items, i % items)) == key ? 1u << i : 0u;
    }
  }
  return tied;
}

// Appends the first `count` positions of `key` to a list of survivors, which has room for them; false where the row has
// fewer. By one block.
template <class Block, ScoreType type, int size>
TAMIS_DEVICE bool list_ties(Block block, const Arguments& arguments, stages::ScanScratch& scratch,
                            Survivors<type, size>& survivors, stages::Window window, std::uint32_t key,
                            std::uint32_t count) {
  constexpr int items = stages::Row<type>::items;
  constexpr int packs = 16 / items;  // of a thread, side by side
  const stages::Row<type> row = stages::row_of<type>(arguments, window);
  const std::uint32_t begin = survivors.count;
  const bool scored = arguments.output.scores != nullptr;  // zeros of both signs have one key
  std::uint32_t found = 0;
  for (int tile = 0; tile < row.end && found < count; tile += packs * Block::size) {
    const int first = tile + packs * block.rank();
    std::uint32_t tied = tied_in<packs>(block, row, first, key);
    const stages::Scan sums = stages::scan(block, scratch, static_cast<std::uint32_t>(std::popcount(tied)));
    std::uint32_t at = found + sums.before;
    TAMIS_ROLL
    for (; tied != 0 && at < count; tied &= tied - 1, ++at) {
      const int bit = simt::lowest_bit(tied);
      const std::uint32_t bits =
          scored ? row.score(block, first + bit / items, bit % items) : bits_of_number_key<type>(key);
      survivors.list[begin + at] = {bits, row.position(first + bit / items, bit % items)};
    }
    found += sums.total;
  }
  block.sync();
  if (block.rank() == 0) survivors.count = begin + std::min(found, count);
  block.sync();
  return found >= count;
}

}  // namespace tamis::kernels::stream
