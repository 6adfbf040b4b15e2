// Sums over the threads of a block: what the threads of lower rank hold, and what all hold.
#pragma once

#include <cstdint>

#include "simt/common.hpp"

namespace tamis::stages {

// Sums of warps; a block has at most 1024 threads and a warp at least 32 lanes.
struct ScanScratch {
  std::uint32_t warp[32];
};

struct Scan {
  std::uint32_t before;  // sum over the threads of lower rank
  std::uint32_t total;   // sum over the block
};

template <class Block>
TAMIS_DEVICE Scan scan(Block block, ScanScratch& scratch, std::uint32_t value) {
  const std::uint32_t through = block.scan_add(value);
  if (block.lane() == Block::lanes - 1) scratch.warp[block.warp()] = through;
  block.sync();
  const std::uint32_t sum = block.lane() < Block::warps ? scratch.warp[block.lane()] : 0;
  const std::uint32_t sums = block.scan_add(sum);
  const std::uint32_t total = block.broadcast(sums, Block::warps - 1);
  const std::uint32_t below = block.broadcast(sums - sum, block.warp());
  block.sync();  // the scratch is free again
  return {below + through - value, total};
}

}  // namespace tamis::stages
