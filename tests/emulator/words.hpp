// The words of the vocabulary as test cases: what every thread is to say, and what it must have said. The same cases
// run on the emulator, for both widths of a warp, and on a GPU where there is one.
#pragma once

#include "simt/collectives.hpp"
#include "simt/common.hpp"

namespace tamis::words {

// A number that depends on `i` in no simple way.
constexpr std::uint32_t number(std::uint32_t i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i ^ (i >> 16);
}

inline constexpr int blocks = 4;
inline constexpr int inputs = 4096;       // in[i] is number(i); 16-byte aligned
inline constexpr int scratch_cells = 64;  // zero at the start

struct Arguments {
  const std::uint32_t* in;
  std::uint32_t* out;
  std::uint32_t* scratch;
};

// One thread, as the host sees it.
struct Who {
  int size, lanes, cluster;
  int block, rank;

  int lane() const { return rank % lanes; }
  int warp() const { return rank / lanes; }
  int cluster_rank() const { return block % cluster; }
  // A number of the thread's own, which others compute too.
  std::uint32_t own() const { return number(static_cast<std::uint32_t>(block * 1024 + rank)); }
  Who with_lane(int lane_there) const { return with_rank(warp() * lanes + lane_there); }
  Who with_rank(int rank_there) const { return {size, lanes, cluster, block, rank_there}; }
  Who with_block(int block_there) const { return {size, lanes, cluster, block_there, rank}; }

  // `value` of each of the first `count` lanes of this thread's warp, or threads of its block, combined.
  template <class Value, class Combine>
  std::uint32_t over_lanes(int count, Value value, Combine combine) const {
    std::uint32_t result = value(with_lane(0));
    for (int i = 1; i < count; ++i) result = combine(result, value(with_lane(i)));
    return result;
  }
  template <class Value, class Combine>
  std::uint32_t over_threads(int count, Value value, Combine combine) const {
    std::uint32_t result = value(with_rank(0));
    for (int i = 1; i < count; ++i) result = combine(result, value(with_rank(i)));
    return result;
  }
};

inline std::uint32_t own(const Who& who) { return who.own(); }
inline std::uint32_t add(std::uint32_t a, std::uint32_t b) { return a + b; }
inline std::uint32_t least(std::uint32_t a, std::uint32_t b) { return b < a ? b : a; }
inline std::uint32_t greatest(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }

template <class Block>
TAMIS_DEVICE std::uint32_t own_number(Block block) {
  return number(static_cast<std::uint32_t>(block.grid_rank() * 1024 + block.rank()));
}

// The kernel in which every thread says `Case::outputs` numbers.
template <class Case>
struct Say {
  using Arguments = words::Arguments;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    const int thread = block.grid_rank() * Block::size + block.rank();
    Case::say(block, arguments, arguments.out + thread * Case::outputs);
  }
};

}  // namespace tamis::words
