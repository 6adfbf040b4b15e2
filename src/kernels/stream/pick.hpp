// The k best of a row's survivors, picked on chip: the counts of their keys say in which bin the last one to be taken
// lies; what is above it is put at once, and the few within are ranked against each other. While one warp searches the
// counts, the others have their survivors and the pages of these on the way. Nothing here is called, so that nothing
// has to leave registers: what it takes is the usual row, and all others are left to the fallback.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/stream/put.hpp"
#include "kernels/stream/survivors.hpp"

namespace tamis::kernels::stream {

// A survivor in the bin of the last score to be taken.
template <ScoreType type>
struct alignas(16) Candidate {
  Survivor<type> survivor;
  std::int32_t page;
  std::int32_t unused;
};

// As many as are ranked faster by comparing all with all than by a contest: the ties of a row of 131072 scores within
// one part in 10,000 are 156.
inline constexpr int most_candidates = 256;

// Counted while a row is put, by the blocks of a cluster in the first one.
struct PutCounts {
  std::uint32_t candidates;
  std::uint32_t bad;  // survivors whose page is no page
};

template <ScoreType type, int capacity>
struct PickScratch {
  Survivors<type, capacity> survivors;
  Candidate<type> candidates[most_candidates];
  PutCounts counts;
  std::uint32_t written;  // entries of the output, in the first block of a cluster
  Found found;            // the bin of the last score to be taken
};

// The sum of a count over the blocks of the cluster.
template <class Block>
TAMIS_DEVICE std::uint32_t sum_in_cluster(Block block, std::uint32_t& count) {
  if constexpr (Block::cluster_size == 1) return count;
  std::uint32_t sum = 0;
  for (int rank = 0; rank < Block::cluster_size; ++rank) sum += block.remote(count, rank).load();
  return sum;
}

// A count that the blocks of the cluster keep together, in the first one.
template <class Block>
TAMIS_DEVICE std::uint32_t shared_count(Block block, std::uint32_t& count) {
  if constexpr (Block::cluster_size == 1) return count;
  return block.remote(count, 0).load();
}
template <class Block>
TAMIS_DEVICE std::uint32_t add_to_shared_count(Block block, std::uint32_t& count, std::uint32_t value) {
  if constexpr (Block::cluster_size == 1) return block.fetch_add(count, value);
  return block.remote(count, 0).fetch_add(value);
}

// So many entries of the output for a warp; returns the first.
template <class Block, class Scratch>
TAMIS_DEVICE std::uint32_t claim(Block block, Scratch& scratch, std::uint32_t entries) {
  std::uint32_t first = 0;
  if (block.lane() == 0 && entries != 0) first = add_to_shared_count(block, scratch.written, entries);
  return block.broadcast(first, 0);
}

// Which survivors are taken, by their scores alone, and which are undecided.
template <ScoreType type>
struct SpanJudge {
  Span<type> span;
  TAMIS_DEVICE bool takes(const Survivor<type>& survivor) const { return span.above(survivor.number()); }
  TAMIS_DEVICE bool reaches(const Survivor<type>& survivor) const { return span.reaches(survivor.number()); }
};

// The survivors of a rank no lower than `last`.
template <ScoreType type>
struct RankJudge {
  std::uint64_t last;
  TAMIS_DEVICE bool takes(const Survivor<type>& survivor) const {
    return survivor.position >= 0 && survivor.rank() >= last;
  }
  TAMIS_DEVICE bool reaches(const Survivor<type>&) const { return false; }
};

template <class Block, ScoreType type, int capacity>
class Picker {
 public:
  using Scratch = PickScratch<type, capacity>;
  static constexpr int ahead = 4;  // survivors a thread whose pages are loaded together
  static_assert(most_candidates <= Block::size);

  // Some survivors of a thread, and their pages.
  struct Batch {
    Survivor<type> survivor[ahead];
    std::int32_t page[ahead];
  };

  TAMIS_DEVICE Picker(Block block, Scratch& scratch) : block_(block), scratch_(scratch) {}

  // Ready for the first row; a sync() later others may count on it.
  TAMIS_DEVICE void open_unsynced() {
    clear_bins_unsynced(block_, scratch_.survivors);
    if (block_.rank() > 0) return;
    scratch_.survivors.count = scratch_.written = 0;
  }

  // Writes the selected items of a row whose survivors are listed by all blocks of the cluster. False where the row is
  // not usual or the survivors do not decide: the fallback then writes everything anew. reset() is due in both cases.
  TAMIS_DEVICE bool pick(const Arguments& arguments, const Itinerary<type>& row, const Bound& bound) {
    const Putter<type> putter(arguments, row);
    const auto selected = static_cast<std::uint32_t>(row.window.selected);
    if (!putter.quick() || sum_in_cluster(block_, scratch_.survivors.count) < selected) return false;
    const Batch first = load(putter, block_.rank());
    count_keys(first, bound);
    block_.cluster_sync();
    if (block_.warp() == 0) find_last_bin(selected);
    block_.sync();
    const Found found = scratch_.found;
    if (found.inside > most_candidates || found.bin == window_bins) return false;
    const std::uint32_t low = bound.low + (found.bin << bound.shift);
    const Span<type> span = span_of<type>(low, low + ((1u << bound.shift) - 1));
    put_where(putter, first, SpanJudge<type>{span});
    block_.cluster_sync();
    if (shared_count(block_, scratch_.counts.bad) > 0) return false;
    if (block_.cluster_rank() == 0) put_candidates(putter, found.above, selected);
    if (arguments.output.counts != nullptr && block_.cluster_rank() == 0 && block_.rank() == 0)
      arguments.output.counts[row.window.row] = row.window.selected;
    return true;
  }

  // As at first, but for what the row's candidates still need.
  TAMIS_DEVICE void reset() {
    clear_bins_unsynced(block_, scratch_.survivors);
    if (block_.rank() == 0) scratch_.survivors.count = scratch_.written = 0;
    if constexpr (Block::cluster_size > 1) block_.cluster_sync();
  }

  // To be called between rows, after a barrier and before another.
  TAMIS_DEVICE void forget_candidates_unsynced() {
    if (block_.rank() == 0) scratch_.counts = {0, 0};
  }

  // Where the list ends, a batch is filled up with what is no number and stands nowhere.
  TAMIS_DEVICE Batch load(const Putter<type>& putter, int first) const {
    constexpr Survivor<type> none{stages::greatest_key<type>, -1};
    const int count = static_cast<int>(scratch_.survivors.count);
    Batch batch;
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      const int entry = first + i * Block::size;
      batch.survivor[i] = entry < count ? scratch_.survivors.list[entry] : none;
      batch.page[i] = entry < count ? putter.page_of(block_, batch.survivor[i].position) : 0;
    }
    return batch;
  }

  // Puts the survivors that are taken, in no order, and lists those that are undecided, from a first batch on. Counts
  // those whose pages are bad.
  template <class Judge>
  TAMIS_DEVICE void put_where(const Putter<type>& putter, Batch batch, Judge judge) {
    const int count = static_cast<int>(scratch_.survivors.count);
    for (int first = block_.rank();;) {
      put_batch(putter, batch, judge);
      first += ahead * Block::size;
      if (first - block_.lane() >= count) return;
      batch = load(putter, first);
    }
  }

 private:
  using Four = simt::Pack<std::uint32_t, 4>;

  // Counts the keys of the first batch and of all behind it.
  TAMIS_DEVICE void count_keys(const Batch& batch, const Bound& bound) {
    const int count = static_cast<int>(scratch_.survivors.count);
    int entry = block_.rank();
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i, entry += Block::size) {
      if (entry < count) count_in_bin(block_, scratch_.survivors, bound, batch.survivor[i].key());
    }
    TAMIS_ROLL
    for (; entry < count; entry += Block::size)
      count_in_bin(block_, scratch_.survivors, bound, scratch_.survivors.list[entry].key());
  }

  TAMIS_DEVICE void find_last_bin(std::uint32_t selected) {
    const std::uint32_t over = sum_in_cluster(block_, scratch_.survivors.in_bin[window_bins]);
    auto* packs = reinterpret_cast<Four*>(scratch_.survivors.in_bin);
    const Found found = find_rank<window_bins>(block_, selected, over, [&](int pack) {
      if constexpr (Block::cluster_size == 1) return packs[pack];
      Four sum{};
#pragma unroll 2
      for (int rank = 0; rank < Block::cluster_size; ++rank) {
        const Four theirs = block_.remote(packs[pack], rank).load();
        TAMIS_UNROLL
        for (int i = 0; i < 4; ++i) sum[i] += theirs[i];
      }
      return sum;
    });
    if (block_.lane() == 0) scratch_.found = found;
  }

  template <class Judge>
  TAMIS_DEVICE void put_batch(const Putter<type>& putter, const Batch& batch, Judge judge) {
    typename Block::Mask taken[ahead];
    std::uint32_t total = 0;
    std::uint32_t greatest_page = 0;
    bool undecided = false;
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      const bool takes = judge.takes(batch.survivor[i]);
      taken[i] = block_.ballot(takes);
      total += std::popcount(taken[i]);
      undecided = undecided || (!takes && judge.reaches(batch.survivor[i]));
      greatest_page = std::max(greatest_page, static_cast<std::uint32_t>(batch.page[i]));
    }
    if (undecided) list_candidates(batch, judge);
    if (greatest_page > putter.greatest_page()) add_to_shared_count(block_, scratch_.counts.bad, 1u);
    const int first = static_cast<int>(claim(block_, scratch_, total));
    if (putter.has_slots()) {
      put_taken(taken, first,
                [&](int rank, int i) { putter.put_slot(batch.page[i], rank, batch.survivor[i].position); });
    }
    if (putter.more()) {
      put_taken(taken, first,
                [&](int rank, int i) { putter.put_more(rank, batch.survivor[i].position, batch.survivor[i].bits); });
    }
  }

  template <class Judge>
  TAMIS_DEVICE void list_candidates(const Batch& batch, Judge judge) {
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (!judge.takes(batch.survivor[i]) && judge.reaches(batch.survivor[i]))
        list_candidate({batch.survivor[i], batch.page[i], 0});
    }
  }
  TAMIS_DEVICE void list_candidate(const Candidate<type>& candidate) {
    const std::uint32_t at = add_to_shared_count(block_, scratch_.counts.candidates, 1u);
    if constexpr (Block::cluster_size == 1)
      scratch_.candidates[at] = candidate;
    else
      block_.remote(scratch_.candidates[at], 0).store(candidate);
  }

  // Calls put(rank, i) for the survivors of this lane that are taken, ranks from `first` on over the warp.
  template <class Put>
  TAMIS_DEVICE void put_taken(const typename Block::Mask (&taken)[ahead], int first, Put put) const {
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (taken[i] >> block_.lane() & 1) put(first + block_.rank_in(taken[i]), i);
      first += std::popcount(taken[i]);
    }
  }

  // A candidate is taken where fewer than what remains beat it. By the first block.
  TAMIS_DEVICE void put_candidates(const Putter<type>& putter, std::uint32_t above, std::uint32_t selected) {
    const std::uint32_t count = scratch_.counts.candidates;
    if (block_.rank() >= static_cast<int>(count)) return;
    const Candidate<type> mine = scratch_.candidates[block_.rank()];
    std::uint32_t rank = above;
    for (std::uint32_t i = 0; i < count; ++i) rank += scratch_.candidates[i].survivor.rank() > mine.survivor.rank();
    if (rank < selected) putter.put(mine.page, static_cast<int>(rank), mine.survivor.position, mine.survivor.bits);
  }

  Block block_;
  Scratch& scratch_;
};

}  // namespace tamis::kernels::stream
