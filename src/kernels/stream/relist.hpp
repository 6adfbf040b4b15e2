// A row's survivors listed anew, straight from memory, where its sample misled it: one more read. With a bound of 0
// there is none at first: the list raises it by itself each time that it is full, a few times for scores in a usual
// order.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/stream/itinerary.hpp"
#include "kernels/stream/raise.hpp"

namespace tamis::kernels::stream {

// Calls keep(least) until it has nothing left to list, and makes room in between. Leaves the cluster synchronised on
// the list of each block.
template <class Block, ScoreType type, int size, class Keep>
TAMIS_DEVICE void list_all(Block block, stages::SettleScratch& settle, Survivors<type, size>& survivors,
                           std::uint32_t low, std::uint32_t selected, Keep keep) {
  for (bool done = false;;) {
    done = done || keep(least_number<type>(low));
    block.sync();
    if (!survivors.overflowed()) break;
    low = raise(block, settle, survivors, low, selected);
  }
  if constexpr (Block::cluster_size > 1) block.cluster_sync();
}

// The survivors of a warp's chunk in memory: `packs` a lane.
template <int packs, class Block, ScoreType type, int size>
TAMIS_DEVICE bool keep_from_memory(Block block, Survivors<type, size>& survivors, Number<type> least,
                                   const Body<type>& body, int first) {
  constexpr int items = Body<type>::items;
  std::uint32_t mask = 0;
  TAMIS_UNROLL
  for (int i = 0; i < packs; ++i) {
    const int pack = first + i * Block::lanes + block.lane();
    if (pack >= body.count) continue;
    const auto scores = block.load(body.packs + pack);
    TAMIS_UNROLL
    for (int item = 0; item < items; ++item)
      mask |= number_of<type>(scores[item]) >= least ? 1u << (i * items + item) : 0u;
  }
  const auto* scores = reinterpret_cast<const stages::Bits<type>*>(body.packs);
  return append(block, survivors, mask, [&](unsigned bit) {
    const int offset =
        (first + static_cast<int>(bit) / items * Block::lanes + block.lane()) * items + static_cast<int>(bit) % items;
    return Survivor<type>{block.load(scores + offset), body.lead + offset};
  });
}

// Lists the scores of each block's share of a row that reach a key, or the best of them, no fewer than are selected.
// NaN is no survivor.
template <class Block, ScoreType type, int size>
TAMIS_DEVICE void relist(Block block, const Arguments& arguments, stages::SettleScratch& settle,
                         Survivors<type, size>& survivors, const Itinerary<type>& row, std::uint32_t low) {
  constexpr int packs = 32 / Body<type>::items;
  constexpr int warps = Block::warps * Block::cluster_size;
  const int warp = block.cluster_rank() * Block::warps + block.warp();
  int first = warp * packs * Block::lanes;
  block.cluster_sync();  // the counts are read no more
  if (block.rank() == 0) survivors.count = 0;
  block.sync();
  list_all(block, settle, survivors, low, static_cast<std::uint32_t>(row.window.selected), [&](Number<type> least) {
    for (; first < row.body.count; first += warps * packs * Block::lanes)
      if (!keep_from_memory<packs>(block, survivors, least, row.body, first)) return false;
    return warp != warps - 1 || keep_edges(block, survivors, least, stages::row_of<type>(arguments, row.window));
  });
}

}  // namespace tamis::kernels::stream
