// A sample of a row, spread evenly over it at hashed places: what its bound is sought in.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/stream/itinerary.hpp"

namespace tamis::kernels::stream {

// Some packs a thread.
template <ScoreType type, int size>
struct Sample {
  static constexpr int packs = size;
  static constexpr int items = packs * Body<type>::items;
  typename Body<type>::Pack pack[packs];
};

TAMIS_DEVICE std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}

TAMIS_DEVICE std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// Neighbouring threads read a line of 128 bytes, of as many packs: memory opens a page for each place that is read, and
// with lines a quarter as many as with sectors.
inline constexpr int line_packs = 8;

// Lines at either end of the body that are not drawn: the first and the newest positions are often favoured, few as
// they are, and a line of them would stand for many.
inline constexpr std::uint32_t end_lines = 4;

// A line of each of equal stretches of the body, somewhere in its stretch. `row` makes rows differ, so that no one
// pattern of columns misleads all of them. The pack of this thread in draw `i`.
template <int packs, class Block, ScoreType type>
TAMIS_DEVICE const typename Body<type>::Pack* drawn_pack(Block block, const Body<type>& body, int row, int i) {
  constexpr int stretches = Block::size / line_packs * packs;
  constexpr int shift = 33 - std::bit_width(static_cast<unsigned>(stretches));  // a stretch in fractions of 2^32
  static_assert(std::has_single_bit(static_cast<unsigned>(stretches)));
  const std::uint32_t lines = static_cast<std::uint32_t>(body.count / line_packs) - 2 * end_lines;
  const std::uint32_t index = block.rank() / line_packs + i * (Block::size / line_packs);
  const std::uint32_t begin = high_product(index << shift, lines);
  const std::uint32_t width = (lines + stretches - 1) / stretches;
  const std::uint32_t hash = mixed(index * 0x9e3779b9u + static_cast<std::uint32_t>(row));
  const std::uint32_t line = std::min(begin + high_product(hash, width), lines - 1);
  return body.packs + (line_packs * (end_lines + line) + block.rank() % line_packs);
}

// Rows of fewer packs than this have no sample.
template <class Block, int packs>
inline constexpr int least_packs = packs* Block::size + 2 * line_packs* static_cast<int>(end_lines);

template <int packs, class Block, ScoreType type>
TAMIS_DEVICE Sample<type, packs> load_sample(Block block, const Body<type>& body, int row) {
  Sample<type, packs> sample;
  TAMIS_UNROLL
  for (int i = 0; i < packs; ++i) sample.pack[i] = block.load_once(drawn_pack<packs>(block, body, row, i));
  return sample;
}

// Brings the sample of a later row near.
template <int packs, class Block, ScoreType type>
TAMIS_DEVICE void prefetch_sample(Block block, const Body<type>& body, int row) {
  if (block.rank() % line_packs != 0) return;
  TAMIS_UNROLL
  for (int i = 0; i < packs; ++i) block.prefetch(drawn_pack<packs>(block, body, row, i));
}

}  // namespace tamis::kernels::stream
