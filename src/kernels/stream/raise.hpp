// The bound let more through than there is room for: the best of those that are listed stay, as many as are to be
// selected, and the last of them is the bound for the rest of the row. No score is read twice.
#pragma once

#include <cstdint>

#include "kernels/stream/contest.hpp"
#include "stages/scan.hpp"

namespace tamis::kernels::stream {

// Keeps the entries of a rank no lower than `last`, tile by tile: what is kept of a tile goes where tiles before it
// were.
template <class Block, ScoreType type, int size>
TAMIS_DEVICE std::uint32_t compact(Block block, stages::ScanScratch& scratch, Survivors<type, size>& survivors,
                                   std::uint32_t held, std::uint64_t last) {
  std::uint32_t kept = 0;
  for (std::uint32_t tile = 0; tile < held; tile += Block::size) {
    const std::uint32_t entry = tile + block.rank();
    const Survivor<type> survivor = entry < held ? survivors.list[entry] : Survivor<type>{};
    const bool stays = entry < held && survivor.rank() >= last;
    const stages::Scan place = stages::scan(block, scratch, stays ? 1u : 0u);
    if (stays) survivors.list[kept + place.before] = survivor;
    kept += place.total;
  }
  return kept;
}

// Makes room in a list that overflowed, and returns the key that scores must reach from now on: no less than `low`,
// which they had to reach. More are held than selected. Every block of a cluster does so by itself: what does not
// belong to the best of its own share does not belong to the row's.
template <class Block, ScoreType type, int size>
TAMIS_DEVICE_OUTLINED std::uint32_t raise(Block block, stages::SettleScratch& scratch, Survivors<type, size>& survivors,
                                          std::uint32_t low, std::uint32_t selected) {
  const std::uint32_t held = survivors.held;
  const stages::Threshold open{low, stages::greatest_key<type>, selected, held};
  const std::uint64_t last = contest<Among::block>(block, scratch, survivors, held, open);
  block.sync();
  const std::uint32_t kept = compact(block, scratch.narrow.scan, survivors, held, last);
  if (block.rank() == 0) survivors.count = kept;
  block.sync();
  return static_cast<std::uint32_t>(last >> 32);
}

}  // namespace tamis::kernels::stream
