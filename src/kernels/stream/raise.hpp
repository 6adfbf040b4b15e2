// The bound let more through than there is room for: the best of those that are listed stay, as many as are to be
// selected, and the last of them is the bound for the rest of the row. No score is read twice.
#pragma once

#include <cstdint>

#include "kernels/stream/contest.hpp"
#include "stages/scan.hpp"

namespace tamis::kernels::stream {

// Keeps the entries of a rank no lower than `last`, tile by tile, a few entries a thread: what is kept of a tile goes
// where tiles before it were.
template <class Block, ScoreType type, int size>
TAMIS_DEVICE std::uint32_t compact(Block block, stages::ScanScratch& scratch, Survivors<type, size>& survivors,
                                   std::uint32_t held, std::uint64_t last) {
  constexpr int mine = 4;
  std::uint32_t kept = 0;
  for (std::uint32_t tile = 0; tile < held; tile += mine * Block::size) {
    Survivor<type> survivor[mine];
    bool stays[mine];
    std::uint32_t count = 0;
    TAMIS_UNROLL
    for (int i = 0; i < mine; ++i) {
      const std::uint32_t entry = tile + i * Block::size + block.rank();
      survivor[i] = entry < held ? survivors.list[entry] : Survivor<type>{};
      stays[i] = entry < held && survivor[i].rank() >= last;
      count += stays[i] ? 1 : 0;
    }
    const stages::Scan place = stages::scan(block, scratch, count);
    std::uint32_t at = kept + place.before;
    TAMIS_UNROLL
    for (int i = 0; i < mine; ++i) {
      if (stays[i]) survivors.list[at++] = survivor[i];
    }
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
