// Too many undecided scores of a short row: their range of keys over all blocks, then counts of the range's digits,
// until few are left or all are equal.
#pragma once

#include "kernels/register/shared.hpp"
#include "stages/held.hpp"

namespace tamis::kernels::short_row {

// The range over the cluster of what each block's is.
template <class Block, class Shared>
TAMIS_DEVICE stages::Bounds range_of_all(Block block, Shared& shared, stages::Bounds range, std::uint32_t round) {
  constexpr int blocks = Block::cluster_size;
  if (block.rank() == 0) shared.ranged.expect(sizeof shared.range);
  if (block.rank() < blocks)
    block.send(block.remote(shared.range[block.cluster_rank()], block.rank()), {{range.low, range.high}}, shared.ranged,
               block.rank());
  shared.ranged.wait(round & 1);
  const bool counts = block.lane() < blocks;
  return {block.reduce_min(counts ? shared.range[block.lane()][0] : ~0u),
          block.reduce_max(counts ? shared.range[block.lane()][1] : 0u)};
}

// The range of the undecided keys; clears the counts. The `round`-th time, from 0 on.
template <class Block, class Shared, class Held>
TAMIS_DEVICE stages::Bounds range_of(Block block, Shared& shared, const Held& held, std::uint32_t undecided,
                                     std::uint32_t round) {
  stages::Bounds range{~0u, 0};
  held.for_each(undecided, [&](float score, int) {
    range.low = std::min(range.low, key(score));
    range.high = std::max(range.high, key(score));
  });
  range = {block.reduce_min(range.low), block.reduce_max(range.high)};
  block.sync();
  if (block.lane() == 0) {
    shared.low[block.warp()] = range.low;
    shared.high[block.warp()] = range.high;
  }
  shared.counts.clear_unsynced(block);
  block.sync();
  const bool counts = block.lane() < Block::warps;
  range = {block.reduce_min(counts ? shared.low[block.lane()] : ~0u),
           block.reduce_max(counts ? shared.high[block.lane()] : 0u)};
  if constexpr (Block::cluster_size > 1) {
    return range_of_all(block, shared, range, round);
  } else {
    return range;
  }
}

// Counts the undecided by the digits of their range, and decides all but those of one digit.
template <class Block, class Shared, class Held>
TAMIS_DEVICE Standing narrow_once(Block block, Shared& shared, const Held& held, Standing standing,
                                  stages::Bounds range, std::uint32_t round) {
  const int excess = std::bit_width(range.high - range.low) - std::bit_width(unsigned{bins} - 1);
  const int shift = std::max(0, excess);
  const auto bin_of = [&](float score) { return 1 + static_cast<int>((key(score) - range.low) >> shift); };
  held.for_each(standing.marks.undecided,
                [&](float score, int) { block.fetch_add(shared.counts.of(bin_of(score)), 1u); });
  block.sync();
  const std::uint32_t above_before = standing.cut.above_before;
  standing.cut = find_cut(block, shared, round, standing.needed, 0);
  held.for_each(standing.marks.undecided, [&](float score, int i) {
    if (bin_of(score) > standing.cut.bin) standing.marks.taken |= Held::mark(i);
    if (bin_of(score) != standing.cut.bin) standing.marks.undecided &= ~Held::mark(i);
  });
  standing.needed -= standing.cut.above;
  standing.cut.above_before += above_before;
  return standing;
}

// More undecided than are ranked, and not all of them taken. Equal ones are sooner settled by position where that costs
// no reading: narrow rows of 131072 in registers take 4.8 in place of 5.6 us, 65536 in shared memory 5.4 and 4.9
// (H200).
template <class Held>
TAMIS_DEVICE bool too_many(const Standing& standing, bool tied) {
  const unsigned most = tied && Held::in_registers ? most_tied : most_undecided;
  return standing.cut.inside != standing.needed && standing.cut.inside > most;
}

// The first of those that tie, by position, are taken.
template <class Block, class Shared, class Held>
TAMIS_DEVICE Standing settle_tie(Block block, Shared& shared, const Held&, Standing standing) {
  standing.marks.undecided = stages::first_by_position<Held::size>(block, shared.of_warp, standing.marks.undecided,
                                                                   standing.cut.inside_before, standing.needed);
  standing.cut.inside = standing.needed;
  return standing;
}

// Leaves few enough undecided scores to be ranked, or exactly those that are taken. `tied`: all undecided are equal.
template <class Block, class Shared, class Held>
TAMIS_DEVICE Standing narrow(Block block, Shared& shared, const Held& held, Standing standing, bool tied) {
  for (std::uint32_t round = 0; too_many<Held>(standing, tied); ++round) {
    if (!tied) {
      const stages::Bounds range = range_of(block, shared, held, standing.marks.undecided, round);
      tied = range.low == range.high;
      if (!tied) standing = narrow_once(block, shared, held, standing, range, round + 1);
    }
    if (tied) standing = settle_tie(block, shared, held, standing);
  }
  return standing;
}

}  // namespace tamis::kernels::short_row
