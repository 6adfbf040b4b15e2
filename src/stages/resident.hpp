// A range of a row's packs, read once and kept in shared memory as they came: later stages read it from there.
#pragma once

#include "stages/row.hpp"

namespace tamis::stages {

template <ScoreType type>
struct Resident : Row<type> {
  using Pack = typename Row<type>::Pack;

  const Pack* packs;  // in shared memory; the first one is pack `first`
  int first;

  template <class Block>
  TAMIS_DEVICE Pack load(Block, int pack) const {
    return packs[pack - first];
  }
  template <class Block>
  TAMIS_DEVICE Bits<type> score(Block, int pack, int i) const {
    return packs[pack - first][i];
  }
};

// Copies the packs of `row` to `room`, which holds as many. Unsynced: a stage hands a thread the packs that it copied
// here, every Block::size-th from its rank on.
template <class Block, ScoreType type>
TAMIS_DEVICE Resident<type> make_resident_unsynced(Block block, const Row<type>& row, typename Row<type>::Pack* room) {
  constexpr int ahead = ahead_of<Block, Row<type>>;
  using Pack = typename Row<type>::Pack;
  int pack = row.begin + block.rank();
  for (; pack + (ahead - 1) * Block::size < row.end; pack += ahead * Block::size) {
    Pack packs[ahead];
#pragma unroll
    for (int a = 0; a < ahead; ++a) packs[a] = row.load(block, pack + a * Block::size);
#pragma unroll
    for (int a = 0; a < ahead; ++a) room[pack + a * Block::size - row.begin] = packs[a];
  }
  for (; pack < row.end; pack += Block::size) room[pack - row.begin] = row.load(block, pack);
  return {row, room, row.begin};
}

}  // namespace tamis::stages
