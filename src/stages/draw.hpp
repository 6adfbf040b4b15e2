// A sample of a row in registers: fours of neighbouring scores, one from each of equal strata, at a place hashed within
// it, so that neither a stride nor a trend of the row misleads. Lanes that are grouped draw far apart.
#pragma once

#include <algorithm>
#include <cstdint>

#include "stages/held.hpp"

namespace tamis::stages {

// What a lane of a sampling warp draws.
template <int fours>
struct Drawn {
  float score[fours][4];
  int position[fours];
};

// Equal in every block that draws from the row; `warps` warps of a block draw.
template <int fours, int warps, class Block, class Row>
TAMIS_DEVICE Drawn<fours> draw(Block block, const Row& row, int row_number) {
  constexpr unsigned strata = warps * Block::lanes * fours;
  const unsigned all = static_cast<unsigned>(std::max(row.readable, 4)) / 4;
  const unsigned depth = std::max(1u, all / strata);
  Drawn<fours> drawn;
  TAMIS_UNROLL
  for (int i = 0; i < fours; ++i) {
    const unsigned stratum = (i * Block::lanes + block.lane()) * warps + block.warp();
    unsigned hash = stratum * 0x9E3779B1u + row_number * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 15) * 0x2C1B3C6Du;
    const auto jitter = static_cast<unsigned>(std::uint64_t{hash} * depth >> 32);
    drawn.position[i] = 4 * static_cast<int>(static_cast<std::uint64_t>(stratum) * all / strata + jitter);
    const Four four = row.load(block, drawn.position[i]);
    TAMIS_UNROLL
    for (int j = 0; j < 4; ++j) drawn.score[i][j] = four[j];
  }
  return drawn;
}

// Scores at positions `end` and beyond are none.
template <int fours>
TAMIS_DEVICE void cut_off(Drawn<fours>& drawn, int end) {
  TAMIS_UNROLL
  for (int i = 0; i < fours; ++i) {
    TAMIS_UNROLL
    for (int j = 0; j < 4; ++j) {
      if (drawn.position[i] + j >= end) drawn.score[i][j] = no_score;
    }
  }
}

}  // namespace tamis::stages
