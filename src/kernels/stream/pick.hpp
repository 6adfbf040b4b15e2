// The k best of a row's survivors, picked on chip: the counts of their keys say in which bin the last one to be taken
// lies; what is above it is put at once, and the few within are ranked against each other. While one warp searches the
// counts, the others have their survivors and the pages of these on the way.
#pragma once

#include <cstdint>

#include "kernels/stream/contest.hpp"
#include "kernels/stream/put.hpp"
#include "kernels/stream/ties.hpp"

namespace tamis::kernels::stream {

// A survivor in the bin of the last score to be taken.
template <ScoreType type>
struct alignas(16) Candidate {
  Survivor<type> survivor;
  std::int32_t page;
  std::int32_t unused;
};

inline constexpr int most_candidates = 128;

template <ScoreType type, int capacity>
struct PickScratch {
  Survivors<type, capacity> survivors;
  Candidate<type> candidates[most_candidates];
  std::uint32_t candidate_count[2];  // of this row and of the one before or after it, in turn
  std::uint32_t written;             // entries of the output, by the blocks of the cluster; in the first one
  Found found;                       // the bin of the last score to be taken
};

// What becomes of a survivor.
enum class Fate { left, undecided, taken };

template <class Block, ScoreType type, int capacity>
class Picker {
 public:
  using Scratch = PickScratch<type, capacity>;
  static constexpr int ahead = Block::size >= 512 ? 6 : 4;  // survivors a thread whose pages are loaded together
  static_assert(most_candidates <= Block::size);

  TAMIS_DEVICE Picker(Block block, Scratch& scratch, stages::SettleScratch& settle)
      : block_(block), scratch_(scratch), settle_(settle) {}

  // Ready for the first row; a sync() later others may count on it.
  TAMIS_DEVICE void open_unsynced() {
    clear_bins_unsynced(block_, scratch_.survivors);
    if (block_.rank() > 0) return;
    scratch_.candidate_count[0] = scratch_.candidate_count[1] = scratch_.survivors.count = scratch_.written = 0;
  }

  // Writes the selected items of a row whose survivors are listed and counted by all blocks of the cluster. False where
  // they do not decide; what was written is then to be written anew.
  TAMIS_DEVICE bool pick(const Arguments& arguments, const Itinerary<type>& row, const Bound& bound) {
    const Putter<type> putter(arguments, row);
    const auto selected = static_cast<std::uint32_t>(row.window.selected);
    const std::uint32_t total = listed_in_cluster();
    std::uint32_t above = 0;
    bool complete = true;
    if (total >= selected)
      above = put_best(arguments, row, putter, bound, total);
    else
      complete = bound.plateau && put_plateau(block_, arguments, scratch_, settle_, row, bound.low - 1, total);
    block_.cluster_sync();
    put_candidates(arguments, row, putter, above);
    reset();
    return complete;
  }

 private:
  struct Batch {
    Survivor<type> survivor[ahead];
    std::int32_t page[ahead];
  };
  using Four = simt::Pack<std::uint32_t, 4>;

  TAMIS_DEVICE std::uint32_t listed_in_cluster() const {
    if constexpr (Block::cluster_size == 1) return scratch_.survivors.count;
    std::uint32_t sum = 0;
    for (int rank = 0; rank < Block::cluster_size; ++rank) sum += block_.remote(scratch_.survivors.count, rank).load();
    return sum;
  }

  // Puts what is above the bin of the last one to be taken, lists what is within, and returns how many are above.
  TAMIS_DEVICE std::uint32_t put_best(const Arguments& arguments, const Itinerary<type>& row,
                                      const Putter<type>& putter, const Bound& bound, std::uint32_t total) {
    const auto selected = static_cast<std::uint32_t>(row.window.selected);
    const Batch first = putter.quick() ? load(putter, block_.rank()) : Batch{};
    if (block_.warp() == 0) find_last_bin(selected, total);
    block_.sync();
    const Found found = scratch_.found;
    const std::uint32_t low = bound.low + (found.bin << bound.shift);
    const std::uint32_t high = found.bin == window_bins ? stages::greatest_key<type> : low + ((1u << bound.shift) - 1);
    if (found.inside > most_candidates) {
      put_contested(block_, arguments, scratch_, settle_, row, {low, high, selected - found.above, found.inside});
      return 0;
    }
    if (!putter.quick()) {
      put_generally(block_, arguments, scratch_, row, turn_,
                    {std::uint64_t{high} << 32 | ~0u, std::uint64_t{low} << 32});
      return found.above;
    }
    const Span<type> span = span_of<type>(low, high);
    put_where(arguments, row, putter, first, [&](const Survivor<type>& survivor) {
      const auto number = survivor.number();
      return span.above(number) ? Fate::taken : span.reaches(number) ? Fate::undecided : Fate::left;
    });
    return found.above;
  }

  TAMIS_DEVICE void find_last_bin(std::uint32_t selected, std::uint32_t total) {
    auto* packs = reinterpret_cast<Four*>(scratch_.survivors.in_bin);
    const Found found = find_rank<window_bins>(block_, selected, total, [&](int pack) {
      if constexpr (Block::cluster_size == 1) return packs[pack];
      Four sum{};
      for (int rank = 0; rank < Block::cluster_size; ++rank) {
        const Four theirs = block_.remote(packs[pack], rank).load();
        TAMIS_UNROLL
        for (int i = 0; i < 4; ++i) sum[i] += theirs[i];
      }
      return sum;
    });
    if (block_.lane() == 0) scratch_.found = found;
  }

  TAMIS_DEVICE Batch load(const Putter<type>& putter, int first) const {
    const int count = static_cast<int>(scratch_.survivors.count);
    Batch batch{};
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      const int entry = first + i * Block::size;
      if (entry >= count) continue;
      batch.survivor[i] = scratch_.survivors.list[entry];
      batch.page[i] = putter.page_of(block_, batch.survivor[i].position);
    }
    return batch;
  }

  // Puts the survivors that are taken, in no order, and lists those that are undecided, from a first batch on.
  template <class Judge>
  TAMIS_DEVICE void put_where(const Arguments& arguments, const Itinerary<type>& row, const Putter<type>& putter,
                              Batch batch, Judge judge) {
    const int count = static_cast<int>(scratch_.survivors.count);
    for (int first = block_.rank();;) {
      const std::uint32_t bad = put_batch(putter, batch, count - first, judge);
      if (bad != 0) count_bad_of(block_, arguments, scratch_, row, first, bad);
      first += ahead * Block::size;
      if (first - block_.lane() >= count) return;
      batch = load(putter, first);
    }
  }

  // Returns a bit for each of this thread's survivors that was put and whose page is bad.
  template <class Judge>
  TAMIS_DEVICE std::uint32_t put_batch(const Putter<type>& putter, const Batch& batch, int left, Judge judge) {
    typename Block::Mask taken[ahead];
    std::uint32_t total = 0;
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      const Fate fate = i * Block::size < left ? judge(batch.survivor[i]) : Fate::left;
      if (fate == Fate::undecided) list_candidate(block_, scratch_, turn_, batch.survivor[i], batch.page[i]);
      taken[i] = block_.ballot(fate == Fate::taken);
      total += std::popcount(taken[i]);
    }
    std::uint32_t base = claim(block_, scratch_, total);
    std::uint32_t bad = 0;
    TAMIS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (taken[i] >> block_.lane() & 1) {
        const int rank = static_cast<int>(base) + block_.rank_in(taken[i]);
        putter.put_slot(batch.page[i], rank, batch.survivor[i].position);
        if (putter.more()) putter.put_more(rank, batch.survivor[i].position, batch.survivor[i].bits);
        bad |= putter.bad(batch.page[i]) ? 1u << i : 0u;
      }
      base += std::popcount(taken[i]);
    }
    return bad;
  }

  TAMIS_DEVICE static void list_candidate(Block block, Scratch& scratch, int turn, const Survivor<type>& survivor,
                                          std::int32_t page) {
    scratch.candidates[block.fetch_add(scratch.candidate_count[turn], 1u)] = {survivor, page, 0};
  }

  // So many entries of the output for a warp; returns the first.
  TAMIS_DEVICE static std::uint32_t claim(Block block, Scratch& scratch, std::uint32_t entries) {
    std::uint32_t first = 0;
    if (block.lane() == 0 && entries != 0) {
      if constexpr (Block::cluster_size == 1)
        first = block.fetch_add(scratch.written, entries);
      else
        first = block.remote(scratch.written, 0).fetch_add(entries);
    }
    return block.broadcast(first, 0);
  }

  // A candidate is taken where fewer than what remains beat it.
  TAMIS_DEVICE void put_candidates(const Arguments& arguments, const Itinerary<type>& row, const Putter<type>& putter,
                                   std::uint32_t above) {
    if (block_.rank() >= static_cast<int>(scratch_.candidate_count[turn_])) return;
    const Candidate<type> mine = scratch_.candidates[block_.rank()];
    std::uint32_t rank = above;
    for (int other = 0; other < Block::cluster_size; ++other) rank += better_in(other, mine.survivor.rank());
    if (rank >= static_cast<std::uint32_t>(row.window.selected)) return;
    if (!putter.quick() || putter.bad(mine.page))
      return put_one(block_, arguments, row, static_cast<int>(rank), mine.survivor);
    putter.put_slot(mine.page, static_cast<int>(rank), mine.survivor.position);
    if (putter.more()) putter.put_more(static_cast<int>(rank), mine.survivor.position, mine.survivor.bits);
  }

  TAMIS_DEVICE std::uint32_t better_in(int block_rank, std::uint64_t mine) {
    std::uint32_t better = 0;
    if constexpr (Block::cluster_size == 1) {
      const std::uint32_t count = scratch_.candidate_count[turn_];
      for (std::uint32_t i = 0; i < count; ++i) better += scratch_.candidates[i].survivor.rank() > mine;
    } else {
      const std::uint32_t count = block_.remote(scratch_.candidate_count[turn_], block_rank).load();
      const auto theirs = block_.remote(scratch_.candidates[0], block_rank);
      for (std::uint32_t i = 0; i < count; ++i) better += theirs[static_cast<int>(i)].load().survivor.rank() > mine;
    }
    return better;
  }

  // As at first. The candidates of this row may still be read: those of the next one are counted elsewhere.
  TAMIS_DEVICE void reset() {
    turn_ ^= 1;
    clear_bins_unsynced(block_, scratch_.survivors);
    if (block_.rank() == 0) scratch_.survivors.count = scratch_.written = scratch_.candidate_count[turn_] = 0;
    if constexpr (Block::cluster_size > 1) block_.cluster_sync();
  }

  // --- out of line, and static: what they are passed is all that they keep of the stream's state from registers ---

  TAMIS_DEVICE_OUTLINED static void put_one(Block block, const Arguments& arguments, const Itinerary<type>& row,
                                            int rank, Survivor<type> survivor) {
    put_item(block, arguments, row, rank, survivor.position, survivor.bits);
  }

  TAMIS_DEVICE_OUTLINED static void count_bad_of(Block block, const Arguments& arguments, const Scratch& scratch,
                                                 const Itinerary<type>& row, int first, std::uint32_t bad) {
    TAMIS_ROLL
    for (; bad != 0; bad &= bad - 1)
      count_bad(block, arguments, row, scratch.survivors.list[first + simt::lowest_bit(bad) * Block::size].position);
  }

  // Survivors of these ranks and better ones.
  struct Cut {
    std::uint64_t taken;
    std::uint64_t undecided;
  };
  static constexpr std::uint64_t no_rank = ~std::uint64_t{0};

  // Puts and lists the survivors of a row that is not a usual one.
  TAMIS_DEVICE_OUTLINED static void put_generally(Block block, const Arguments& arguments, Scratch& scratch,
                                                  const Itinerary<type>& row, int turn, Cut cut) {
    const int count = static_cast<int>(scratch.survivors.count);
    TAMIS_ROLL
    for (int first = 0; first < count; first += Block::size) {
      const int entry = first + block.rank();
      const Survivor<type> survivor = entry < count ? scratch.survivors.list[entry] : Survivor<type>{};
      const std::uint64_t rank = survivor.rank();
      const bool takes = entry < count && rank >= cut.taken;
      if (entry < count && !takes && rank >= cut.undecided) list_candidate(block, scratch, turn, survivor, -1);
      const auto taken = block.ballot(takes);
      const std::uint32_t base = claim(block, scratch, std::popcount(taken));
      if (takes)
        put_item(block, arguments, row, static_cast<int>(base) + block.rank_in(taken), survivor.position,
                 survivor.bits);
    }
  }

  // Puts the survivors of a rank no lower than `last`.
  TAMIS_DEVICE static void put_from(Block block, const Arguments& arguments, Scratch& scratch,
                                    stages::SettleScratch& settle, const Itinerary<type>& row, std::uint64_t last) {
    const Putter<type> putter(arguments, row);
    if (!putter.quick()) return put_generally(block, arguments, scratch, row, 0, {last, no_rank});
    Picker picker(block, scratch, settle);
    picker.put_where(arguments, row, putter, picker.load(putter, block.rank()), [&](const Survivor<type>& survivor) {
      return survivor.rank() >= last ? Fate::taken : Fate::left;
    });
  }

  TAMIS_DEVICE_OUTLINED static void put_contested(Block block, const Arguments& arguments, Scratch& scratch,
                                                  stages::SettleScratch& settle, const Itinerary<type>& row,
                                                  stages::Threshold open) {
    put_from(block, arguments, scratch, settle, row,
             contest<Among::cluster>(block, settle, scratch.survivors, scratch.survivors.count, open));
  }

  // Everything above the plateau of `key` is taken; the rest comes from it.
  TAMIS_DEVICE_OUTLINED static bool put_plateau(Block block, const Arguments& arguments, Scratch& scratch,
                                                stages::SettleScratch& settle, const Itinerary<type>& row,
                                                std::uint32_t key, std::uint32_t above) {
    put_from(block, arguments, scratch, settle, row, 0);
    if (block.cluster_rank() != 0) return true;
    return put_ties(block, arguments, settle.narrow.scan, row, key, static_cast<int>(above),
                    row.window.selected - static_cast<int>(above));
  }

  Block block_;
  Scratch& scratch_;
  stages::SettleScratch& settle_;
  int turn_ = 0;  // of the counts of candidates
};

}  // namespace tamis::kernels::stream
