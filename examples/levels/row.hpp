// What all levels begin with: a level is launched with Arguments, takes rows in turn, a block (or a cluster) each, and
// looks at a row through Row. Scores are f32, positions are the only output; the rest of the contract is kept.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simt/common.hpp"
#include "stages/key.hpp"

namespace tamis::levels {

struct Arguments {
  const std::uint32_t* scores;  // the bits of f32, [rows, width]
  const std::int32_t* lengths;  // [rows]
  int rows, width, k;
  std::int32_t* indices;    // [rows, k]: the positions selected, then -1
  std::int32_t tail_bytes;  // of shared memory behind the level's own
};

struct Row {
  const std::uint32_t* scores;
  int length;
  int selected;  // min(k, length)
  std::int32_t* indices;

  template <class Block>
  TAMIS_DEVICE std::uint32_t key(Block block, int position) const {
    return stages::key_of<ScoreType::f32>(block.load(scores + position), Nan::lowest);
  }
};

// No two positions have the same rank: the greater score first, of equal ones the lower position.
TAMIS_DEVICE std::uint64_t rank_of(std::uint32_t key, int position) {
  return std::uint64_t{key} << 32 | ~static_cast<std::uint32_t>(position);
}

template <class Block>
TAMIS_DEVICE Row row_of(Block block, const Arguments& arguments, int row) {
  const int length = std::clamp(static_cast<int>(block.load(arguments.lengths + row)), 0, arguments.width);
  return {arguments.scores + std::int64_t{row} * arguments.width, length, std::min(arguments.k, length),
          arguments.indices + std::int64_t{row} * arguments.k};
}

// Pads the row with -1, and writes it whole if all of it is selected: then true.
template <class Block>
TAMIS_DEVICE bool written_whole(Block block, const Row& row, int k) {
  constexpr int threads = Block::size * Block::cluster_size;
  const int first = block.cluster_rank() * Block::size + block.rank();
  for (int i = row.selected + first; i < k; i += threads) row.indices[i] = -1;
  if (row.selected < row.length) return false;
  for (int i = first; i < row.length; i += threads) row.indices[i] = i;
  return true;
}

// Calls select(row) for the rows that are not written whole, `blocks` blocks sharing each.
template <class Block, class Select>
TAMIS_DEVICE void each_row(Block block, const Arguments& arguments, Select select) {
  constexpr int blocks = Block::cluster_size;
  block.wait_for_previous_kernel();
  for (int r = block.grid_rank() / blocks; r < arguments.rows; r += block.grid_size() / blocks) {
    const Row row = row_of(block, arguments, r);
    if (!written_whole(block, row, arguments.k)) select(row);
  }
}

}  // namespace tamis::levels
