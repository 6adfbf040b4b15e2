// Scans and reductions over a whole block, composed of the vocabulary's words. Each leaves the block synchronised:
// the scratch may be used again at once.
#pragma once

#include "simt/common.hpp"

namespace tamis::simt {

// Scratch for one value a warp, a member of a kernel's Shared.
template <class Block, class T = std::uint32_t>
struct BlockScratch {
  T of_warp[Block::warps];
};

template <class T>
struct Scan {
  T before;  // the sum over all threads of lower rank
  T total;   // the sum over the block
};

namespace detail {

// What the calling lane's namesake among the warps put forward: lane i gets the value of warp i, or `neutral`.
template <class T, class Block>
TAMIS_DEVICE T value_of_warp(Block block, BlockScratch<Block, T>& scratch, T of_warp, T neutral) {
  if (block.lane() == Block::lanes - 1) scratch.of_warp[block.warp()] = of_warp;
  block.sync();
  return block.lane() < Block::warps ? scratch.of_warp[block.lane()] : neutral;
}

}  // namespace detail

// The exclusive sum of `value` in order of rank, and the sum over the block. Before `scratch` is used again: sync().
template <class T, class Block>
TAMIS_DEVICE Scan<T> block_scan_add_unsynced(Block block, BlockScratch<Block, T>& scratch, T value) {
  const T inclusive = block.scan_add(value);
  const T through_warp = block.scan_add(detail::value_of_warp(block, scratch, inclusive, T{}));
  const T before_warp = block.broadcast(through_warp, block.warp() - 1);
  const T total = block.broadcast(through_warp, Block::warps - 1);
  return {static_cast<T>((block.warp() > 0 ? before_warp : T{}) + inclusive - value), total};
}

template <class T, class Block>
TAMIS_DEVICE Scan<T> block_scan_add(Block block, BlockScratch<Block, T>& scratch, T value) {
  const Scan<T> scan = block_scan_add_unsynced(block, scratch, value);
  block.sync();
  return scan;
}

template <class T, class Block>
TAMIS_DEVICE T block_reduce_add(Block block, BlockScratch<Block, T>& scratch, T value) {
  const T sum = block.reduce_add(detail::value_of_warp(block, scratch, block.reduce_add(value), T{}));
  block.sync();
  return sum;
}

template <class T, class Block>
TAMIS_DEVICE T block_reduce_min(Block block, BlockScratch<Block, T>& scratch, T value) {
  const T least = block.reduce_min(value);
  const T result = block.reduce_min(detail::value_of_warp(block, scratch, least, least));
  block.sync();
  return result;
}

template <class T, class Block>
TAMIS_DEVICE T block_reduce_max(Block block, BlockScratch<Block, T>& scratch, T value) {
  const T greatest = block.reduce_max(value);
  const T result = block.reduce_max(detail::value_of_warp(block, scratch, greatest, greatest));
  block.sync();
  return result;
}

}  // namespace tamis::simt
