// A source is where a stage reads a row's scores from. It hands them out in packs, numbered in the order of positions:
//   Pack, items               scores side by side, and how many
//   begin, end                the packs of the source
//   load(block, pack)         the scores of a pack
//   key(score)                the ordered integer of a score
//   score(block, pack, i)     one score of a pack, read again
//   position(pack, i)         the position of score i of a pack; ascending in (pack, i) where the source is ordered
//   holds(pack, i)            false where that score is no part of the source
// Sources: row.hpp (the row in global memory), resident.hpp (in shared memory), candidates.hpp (a list).
#pragma once

#include <cstdint>

#include "simt/common.hpp"

namespace tamis::stages {

// One score of a row, by its key.
struct Item {
  std::uint32_t key;
  int position;
};

template <class Source>
TAMIS_DEVICE Item item_of(const Source& source, int pack, int i, const typename Source::Pack& scores) {
  return {source.key(scores[i]), source.position(pack, i)};
}

template <class Source, class Visit>
TAMIS_DEVICE void visit_pack(const Source& source, int pack, const typename Source::Pack& scores, Visit visit) {
#pragma unroll
  for (int i = 0; i < Source::items; ++i) {
    if (source.holds(pack, i)) visit(item_of(source, pack, i, scores), std::uint32_t{scores[i]});
  }
}

// Packs that a thread reads at once, so that enough loads are under way. A block of 1024 threads has more of them and
// half the registers.
template <class Block, class Source>
inline constexpr int ahead_of = Block::size<1024 ? 4 : Source::items> 4 ? 1 : 2;

// What a source says of itself, where it knows how few packs it has.
template <class Block, class Source>
requires requires { Source::ahead; }
inline constexpr int ahead_of<Block, Source> = Source::ahead;

// Calls visit(item, score) for every score of the source, in no order.
template <class Block, class Source, class Visit>
TAMIS_DEVICE void for_each_unsynced(Block block, const Source& source, Visit visit) {
  constexpr int ahead = ahead_of<Block, Source>;
  int pack = source.begin + block.rank();
  for (; pack + (ahead - 1) * Block::size < source.end; pack += ahead * Block::size) {
    typename Source::Pack packs[ahead];
#pragma unroll
    for (int a = 0; a < ahead; ++a) packs[a] = source.load(block, pack + a * Block::size);
#pragma unroll
    for (int a = 0; a < ahead; ++a) visit_pack(source, pack + a * Block::size, packs[a], visit);
  }
  for (; pack < source.end; pack += Block::size) visit_pack(source, pack, source.load(block, pack), visit);
}

// The packs [share * i / shares ...) of a source: contiguous shares, in order, that differ by one pack at most.
template <class Source>
TAMIS_DEVICE Source share_of(Source source, int share, int shares) {
  const int packs = source.end - source.begin;
  const int begin = source.begin;
  // packs * i / shares, in 32 bits: there are thousands of shares at the most.
  const auto first_of = [=](int i) { return packs / shares * i + packs % shares * i / shares; };
  source.begin = begin + first_of(share);
  source.end = begin + first_of(share + 1);
  return source;
}

}  // namespace tamis::stages
