// Many survivors at the threshold: their keys, and then the positions of equal ones, are narrowed digit by digit until
// one rank is left that says which are taken.
#pragma once

#include <cstdint>

#include "kernels/stream/survivors.hpp"
#include "stages/settle.hpp"

namespace tamis::kernels::stream {

// The survivors by key.
template <ScoreType type>
struct ByKey {
  static constexpr int items = 1;
  using Pack = simt::Pack<std::uint32_t, 1>;

  const Survivor<type>* list;
  int begin;
  int end;

  TAMIS_DEVICE std::uint32_t key(std::uint32_t bits) const { return key_of_number<type>(bits); }
  TAMIS_DEVICE int position(int entry, int) const { return list[entry].position; }
  TAMIS_DEVICE bool holds(int, int) const { return true; }
  template <class Block>
  TAMIS_DEVICE Pack load(Block, int entry) const {
    return {{list[entry].bits}};
  }
};

// The survivors of one key by position, the lowest first.
template <ScoreType type>
struct ByPosition {
  static constexpr int items = 1;
  using Pack = simt::Pack<std::uint32_t, 1>;

  ByKey<type> all;
  std::uint32_t tied;
  int begin;
  int end;

  TAMIS_DEVICE std::uint32_t key(std::uint32_t complement) const { return complement; }
  TAMIS_DEVICE int position(int entry, int) const { return all.position(entry, 0); }
  TAMIS_DEVICE bool holds(int entry, int) const { return all.key(all.list[entry].bits) == tied; }
  template <class Block>
  TAMIS_DEVICE Pack load(Block, int entry) const {
    return {{~static_cast<std::uint32_t>(all.list[entry].position)}};
  }
};

// Whose survivors contend: a block's own, or those of its whole cluster, whose blocks then sum each other's counts.
enum class Among { block, cluster };

template <Among among, class Block>
TAMIS_DEVICE void sync_among(Block block) {
  if constexpr (among == Among::cluster)
    block.cluster_sync();
  else
    block.sync();
}

template <Among among, class Block, class Source>
TAMIS_DEVICE stages::Threshold settle_among(Block block, stages::SettleScratch& scratch, const Source& source,
                                            stages::Threshold threshold) {
  constexpr int blocks = among == Among::cluster ? Block::cluster_size : 1;
  while (!threshold.settled()) {
    stages::clear(block, scratch.histogram);
    stages::count(block, scratch.histogram, source, threshold);
    sync_among<among>(block);
    threshold = stages::narrow(block, scratch.narrow, threshold, [&](int bin) {
      std::uint32_t sum = 0;
      for (int rank = 0; rank < blocks; ++rank)
        sum += blocks == 1 ? scratch.histogram.count[bin] : block.remote(scratch.histogram.count[bin], rank).load();
      return sum;
    });
    sync_among<among>(block);
  }
  return threshold;
}

// The rank of the last score to be taken, given what is known of its key. `count` are in this block's list.
template <Among among, class Block, ScoreType type, int size>
TAMIS_DEVICE_OUTLINED std::uint64_t contest(Block block, stages::SettleScratch& scratch,
                                            const Survivors<type, size>& survivors, std::uint32_t count,
                                            stages::Threshold threshold) {
  const ByKey<type> by_key{survivors.list, 0, static_cast<int>(count)};
  threshold = settle_among<among>(block, scratch, by_key, threshold);
  const std::uint64_t last = std::uint64_t{threshold.low} << 32;
  if (threshold.all_taken()) return last;
  const ByPosition<type> by_position{by_key, threshold.low, by_key.begin, by_key.end};
  const stages::Threshold tied{0, ~0u, threshold.remaining, threshold.candidates};
  return last | settle_among<among>(block, scratch, by_position, tied).low;
}

}  // namespace tamis::kernels::stream
