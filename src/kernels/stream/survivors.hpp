// The scores that reach the bound, listed and counted. A warp compares a chunk into a bit a score and then walks the
// set bits only; where the list has no room for all of them it takes none, and the warp comes again when there is room.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/stream/bound.hpp"
#include "kernels/stream/number.hpp"

namespace tamis::kernels::stream {

// A score as it was and where it stood.
template <ScoreType type>
struct alignas(8) Survivor {
  std::uint32_t bits;
  std::int32_t position;

  TAMIS_DEVICE Number<type> number() const { return number_of<type>(bits); }
  TAMIS_DEVICE std::uint32_t key() const { return key_of_number<type>(bits); }
  // Grows with the strict order: greater score first, then lower position.
  TAMIS_DEVICE std::uint64_t rank() const { return std::uint64_t{key()} << 32 | ~static_cast<std::uint32_t>(position); }
};

template <ScoreType type, int size>
struct Survivors {
  static constexpr int capacity = size;
  std::uint32_t count;  // of all that asked for room; more than `size` where some found none
  std::uint32_t held;   // entries of the list, in that case
  alignas(16) std::uint32_t in_bin[window_bins + 1];  // the last one: beyond the bins
  Survivor<type> list[size];

  TAMIS_DEVICE bool overflowed() const { return count > static_cast<std::uint32_t>(size); }
};

template <class Block, ScoreType type, int size>
TAMIS_DEVICE void count_in_bin(Block block, Survivors<type, size>& survivors, const Bound& bound, std::uint32_t key) {
  block.fetch_add(survivors.in_bin[bound.bin(key)], 1u);
}

template <class Block, ScoreType type, int size>
TAMIS_DEVICE void clear_bins_unsynced(Block block, Survivors<type, size>& survivors) {
  for (int bin = block.rank(); bin <= window_bins; bin += Block::size) survivors.in_bin[bin] = 0;
}

// Appends the scores of a warp's set bits, or none: of(bit) is the survivor of a bit of this lane. Bits are taken from
// both ends, so that two are on their way at once; the last one may be both, and is written twice.
template <class Block, ScoreType type, int size, class Of>
TAMIS_DEVICE bool append(Block block, Survivors<type, size>& survivors, std::uint32_t mask, Of of) {
  const auto mine = static_cast<std::uint32_t>(std::popcount(mask));
  const std::uint32_t through = block.scan_add(mine);
  std::uint32_t end = 0;
  if (block.lane() == Block::lanes - 1 && through != 0) end = block.fetch_add(survivors.count, through) + through;
  end = block.broadcast(end, Block::lanes - 1);
  const std::uint32_t begin = end - block.broadcast(through, Block::lanes - 1);
  if (end > static_cast<std::uint32_t>(size)) {
    if (block.lane() == 0 && begin <= static_cast<std::uint32_t>(size)) survivors.held = begin;  // the first without
    return false;
  }
  Survivor<type>* back = survivors.list + (begin + through);
  Survivor<type>* front = back - mine;
  TAMIS_ROLL
  while (mask != 0) {
    const auto low = static_cast<unsigned>(simt::lowest_bit(mask));
    const auto high = static_cast<unsigned>(std::bit_width(mask)) - 1;
    mask &= ~(1u << low | 1u << high);
    const Survivor<type> first = of(low);
    const Survivor<type> last = of(high);
    *front++ = first;
    *--back = last;
  }
  return true;
}

// The survivors of a chunk of `packs` packs that lies in shared memory, of which the first `count` are of the row.
template <int packs, class Block, ScoreType type, int size>
TAMIS_DEVICE bool keep_chunk(Block block, Survivors<type, size>& survivors, Number<type> least,
                             const typename Body<type>::Pack* chunk, int count, int position) {
  constexpr unsigned items = Body<type>::items;
  constexpr unsigned mine = packs / Block::lanes;
  static_assert(mine * items <= 32 && mine * Block::lanes == packs);
  std::uint32_t mask = 0;
  TAMIS_UNROLL
  for (unsigned i = 0; i < mine; ++i) {
    const auto pack = chunk[i * Block::lanes + block.lane()];
    TAMIS_UNROLL
    for (unsigned item = 0; item < items; ++item)
      mask |= number_of<type>(pack[item]) >= least ? 1u << (i * items + item) : 0u;
  }
  if (count < packs) {
    TAMIS_UNROLL
    for (unsigned i = 0; i < mine; ++i) {
      if (static_cast<int>(i * Block::lanes) + block.lane() >= count) mask &= ~(((1u << items) - 1) << (i * items));
    }
  }
  const auto* scores = reinterpret_cast<const stages::Bits<type>*>(chunk) + block.lane() * items;
  const int first = position + block.lane() * static_cast<int>(items);
  return append(block, survivors, mask, [&](unsigned bit) {
    const unsigned offset = bit / items * ((Block::lanes - 1) * items) + bit;
    return Survivor<type>{scores[offset], first + static_cast<int>(offset)};
  });
}

// The survivors among the scores before and behind the body: by one warp.
template <class Block, ScoreType type, int size>
TAMIS_DEVICE bool keep_edges(Block block, Survivors<type, size>& survivors, Number<type> least,
                             const stages::Row<type>& row) {
  constexpr int items = Body<type>::items;
  const int pack = block.lane() < items ? 0 : row.end - 1;
  const int item = block.lane() % items;
  const bool edge =
      block.lane() < 2 * items && !row.inside(pack) && row.holds(pack, item) && (block.lane() < items || row.end > 1);
  const stages::Bits<type> score = edge ? row.score(block, pack, item) : stages::Bits<type>{};
  return append(block, survivors, edge && number_of<type>(score) >= least ? 1u : 0u, [&](unsigned) {
    return Survivor<type>{score, row.position(pack, item)};
  });
}

}  // namespace tamis::kernels::stream
