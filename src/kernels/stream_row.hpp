// Many long rows, each read once: a sample gives a bound, the row streams through shared memory by bulk copies while
// what reaches the bound is kept, and the k best are picked from the survivors on chip. Blocks stay and take row after
// row; the next row's scores arrive while one is being finished. A row that the sample misled is selected the plain
// way: right on every input. Needs
// has_transactions, and an order of any. A method of its own: no stage reads a row that arrives by itself.
#pragma once

#include "kernels/stream/contest.hpp"
#include "kernels/stream/itinerary.hpp"
#include "kernels/stream/put.hpp"
#include "kernels/stream/ring.hpp"
#include "kernels/stream/sample.hpp"
#include "kernels/stream/survivors.hpp"
#include "kernels/stream/ties.hpp"
#include "stages/deliver.hpp"
#include "stages/settle.hpp"

namespace tamis::kernels {

// `packs` of 16 bytes a chunk, `depth` chunks a warp on their way, room for `capacity` survivors a block,
// `sample_packs` of a row in each thread's part of the sample.
template <ScoreType type, int packs, int depth, int capacity, int sample_packs>
struct StreamRow {
  using Arguments = kernels::Arguments;

  static constexpr int most_candidates = 128;

  template <class Block>
  struct Shared {
    stream::RingStorage<Block, type, packs, depth> ring;
    stream::Survivors<type, capacity> survivors;
    alignas(16) stages::SettleScratch settle;  // its histogram counts the survivors' keys
    stream::SampleScratch<Block> sample;
    stream::Itinerary<type> rows[stream::itineraries];
    stream::SegmentSums<Block> sums;
    stream::Found found;  // the bin of the last score to be taken
    stream::Survivor<type> candidates[most_candidates];
    std::uint32_t candidate_count;
    std::uint32_t listed;   // of this block's survivors, to be put
    std::uint32_t written;  // by the blocks of the cluster; in the first one
    std::uint32_t base;     // of this block's entries in the output
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    if constexpr (Block::has_transactions)
      Journey<Block>{block, arguments, simt::shared<Shared<Block>>(block)}.run();
  }

 private:
  template <class Block>
  struct Journey {
    Block block;
    const Arguments& arguments;
    Shared<Block>& shared;
    stream::Ring<Block, type, packs, depth> ring{};
    stream::Sample<type, sample_packs> sample{};  // of the next row that streams
    int turn = 0;

    static constexpr int planner = 2 * Block::lanes;  // the first thread of those that plan
    static constexpr int window_bins = stages::bins;
    static_assert(window_bins % Block::size == 0 && most_candidates <= Block::size && capacity <= 32 * Block::size);
    using Survivor = stream::Survivor<type>;
    using Itinerary = stream::Itinerary<type>;
    using Counts = simt::Pack<std::uint32_t, window_bins / Block::size>;

    TAMIS_DEVICE void run() {
      stream::clear_unsynced(block, shared.sample);
      if (block.rank() == 0) reset_counts();
      reset_histogram();
      ring.open(block, shared.ring);
      block.allow_next_kernel();
      block.wait_for_previous_kernel();
      plan(0);
      block.cluster_sync();
      request_sample(0);  // before the ring fills memory's queues
      ring.fill(block, shared.ring, shared.rows, 0);
      for (int i = 0; row_of(i) < arguments.shape.rows; ++i) select(i);
      block.cluster_sync();
    }

    // The block's row number `i` in the matrix.
    TAMIS_DEVICE std::int64_t row_of(int i) const {
      const int blocks = block.grid_size() / Block::cluster_size;
      return block.grid_rank() / Block::cluster_size + std::int64_t{i} * blocks;
    }
    TAMIS_DEVICE const Itinerary& itinerary(int i) const { return shared.rows[i % stream::itineraries]; }

    // Plans rows [begin, begin + batch): a thread a row.
    TAMIS_DEVICE void plan(int begin) {
      const int i = begin + block.rank() - planner;
      if (i < begin || i >= begin + stream::batch) return;
      shared.rows[i % stream::itineraries] =
          stream::plan_row<type>(block, arguments, row_of(i), Block::size * stream::Sample<type, sample_packs>::items,
                                 stream::least_packs<Block, sample_packs>);
    }
    TAMIS_DEVICE void request_sample(int i) {
      const Itinerary& row = itinerary(i);
      if (row.streams()) sample = stream::load_sample<sample_packs>(block, row.body, row.window.row);
    }

    TAMIS_DEVICE void select(int i) {
      const Itinerary& row = itinerary(i);
      const stages::Target<type> target = row.target(arguments);
      if (block.cluster_rank() == 0 && row.has_rest(arguments)) put_rest(block, target, row.window);
      const bool streams = row.streams();
      stream::Bound bound{};
      if (streams)
        bound = find_bound(row);
      else
        block.sync();
      request_sample(i + 1);
      ring.fill(block, shared.ring, shared.rows, i + 1);
      if (i % stream::batch == stream::batch / 2) plan(i + stream::batch / 2);
      if (streams) {
        keep_survivors(i, bound);
        block.cluster_sync();
        if (!pick(i, target, bound) && block.cluster_rank() == 0)
          select_plainly(block, arguments, shared, row.window, target);
      } else if (block.cluster_rank() == 0) {
        select_unstreamed(block, arguments, shared, row.window, target);
      }
    }

    TAMIS_DEVICE stream::Bound find_bound(const Itinerary& row) {
      using Sample = stream::Sample<type, sample_packs>;
      constexpr int items = stream::Body<type>::items;
      std::uint32_t keys[Sample::items];
      TAMIS_UNROLL
      for (int i = 0; i < Sample::items; ++i) keys[i] = stream::key_of_score<type>(sample.pack[i / items][i % items]);
      return stream::bound_of(block, shared.sample, turn, keys, row.ranks, window_bins);
    }

    TAMIS_DEVICE void keep_survivors(int i, const stream::Bound& bound) {
      using Ring = stream::Ring<Block, type, packs, depth>;
      const Itinerary& row = itinerary(i);
      const auto least = stream::number_of_key<type>(bound.low);
      const int count = row.body.count;
      if (bound.low > stream::greatest_number_key<type>) return skip(i);
      for (int chunk = Ring::first(block); chunk * packs < count; chunk += Ring::step) {
        const auto* scores = ring.wait(block, shared.ring);
        stream::keep_chunk<packs>(block, shared.survivors, least, scores, count - chunk * packs,
                                  row.body.lead + chunk * packs * row.body.items);
        ring.release(block, shared.ring, shared.rows, i + 1);
      }
      if (Ring::first(block) == Ring::step - 1)
        stream::keep_edges(block, shared.survivors, least, stages::row_of<type>(arguments, row.window));
    }

    // The greatest number is a plateau: nothing can reach above it.
    TAMIS_DEVICE void skip(int i) {
      using Ring = stream::Ring<Block, type, packs, depth>;
      for (int chunk = Ring::first(block); chunk * packs < itinerary(i).body.count; chunk += Ring::step) {
        ring.wait(block, shared.ring);
        ring.release(block, shared.ring, shared.rows, i + 1);
      }
    }

    struct Kept {
      std::uint32_t total;  // in the cluster
      bool all;             // every block had room
    };
    TAMIS_DEVICE Kept kept() const {
      Kept kept{0, true};
      for (int rank = 0; rank < Block::cluster_size; ++rank) {
        const std::uint32_t count =
            Block::cluster_size == 1 ? shared.survivors.count : block.remote(shared.survivors.count, rank).load();
        kept.total += count;
        kept.all = kept.all && count <= capacity;
      }
      return kept;
    }

    // Writes the selected items. False where the survivors do not decide; what was written is then to be written anew.
    TAMIS_DEVICE bool pick(int i, const stages::Target<type>& target, const stream::Bound& bound) {
      const Itinerary& row = itinerary(i);
      const Kept all = kept();
      const auto selected = static_cast<std::uint32_t>(row.window.selected);
      const stream::Putter<type> putter(arguments, target, row.window.length);
      bool complete = true;
      if (all.all && all.total >= selected) {
        put_best(i, target, putter, bound);
      } else if (all.all && bound.plateau) {
        complete = put_all_and_plateau(row, target, bound, all.total);
      } else {
        complete = false;
      }
      block.cluster_sync();
      if (block.rank() == 0) reset_counts();
      return complete;
    }

    TAMIS_DEVICE void put_best(int i, const stages::Target<type>& target, const stream::Putter<type>& putter,
                               const stream::Bound& bound) {
      const stages::Window& window = itinerary(i).window;
      const auto selected = static_cast<std::uint32_t>(window.selected);
      count_keys(bound);
      block.cluster_sync();
      const stream::Found found = find_last_bin(selected);
      const std::uint32_t low = bound.low + (found.bin << bound.shift);
      const std::uint32_t high = found.bin == window_bins - 1 ? ~0u : low + ((1u << bound.shift) - 1);
      const stream::Span<type> span = stream::span_of<type>(low, high);
      if (found.inside <= most_candidates) {
        put_above(putter, span);
        put_candidates(putter, found.above, selected);
        block.sync();
        reset_histogram();
      } else {
        const stages::Threshold open{low, high, selected - found.above, found.inside};
        put_from(block, arguments, shared, window, target,
                 stream::contest(block, shared.settle, shared.survivors, open));
      }
    }

    TAMIS_DEVICE void count_keys(const stream::Bound& bound) {
      const int count = static_cast<int>(shared.survivors.count);
      for (int i = block.rank(); i < count; i += Block::size) {
        const std::uint32_t bin = bound.bin(shared.survivors.list[i].key(), window_bins - 1);
        block.fetch_add(shared.settle.histogram.count[bin], 1u);
      }
    }

    // Counts of the window's bins over all blocks of the cluster.
    TAMIS_DEVICE Counts counts_of(int pack) const {
      auto* counts = reinterpret_cast<Counts*>(shared.settle.histogram.count);
      if constexpr (Block::cluster_size == 1) {
        return counts[pack];
      } else {
        Counts sum{};
        for (int rank = 0; rank < Block::cluster_size; ++rank) {
          const Counts theirs = block.remote(counts[pack], rank).load();
          TAMIS_UNROLL
          for (int i = 0; i < Counts::size; ++i) sum[i] += theirs[i];
        }
        return sum;
      }
    }

    TAMIS_DEVICE stream::Found find_last_bin(std::uint32_t selected) {
      const auto load = [&](int pack) { return counts_of(pack); };
      stream::sum_segments_unsynced(block, shared.sums, load);
      block.sync();
      if (block.warp() == 0) {
        const stream::Found found = stream::find_rank(block, shared.sums, selected, load);
        if (block.lane() == 0) shared.found = found;
      }
      block.cluster_sync();
      return shared.found;
    }

    TAMIS_DEVICE void reset_counts() {
      shared.survivors.count = shared.candidate_count = shared.listed = shared.written = 0;
    }
    TAMIS_DEVICE void reset_histogram() {
      reinterpret_cast<Counts*>(shared.settle.histogram.count)[block.rank()] = Counts{};
    }

    // Puts what is above the span and lists what is within as candidates.
    TAMIS_DEVICE void put_above(const stream::Putter<type>& putter, const stream::Span<type>& span) {
      const int base = list_where(block, shared, [&](const Survivor& survivor) {
        const auto number = survivor.number();
        if (span.within(number)) shared.candidates[block.fetch_add(shared.candidate_count, 1u)] = survivor;
        return span.above(number);
      });
      if constexpr (Block::cluster_size > 1) block.cluster_sync();
      put_listed(block, shared, putter, base);
    }

    // A candidate is taken where fewer than what remains beat it.
    TAMIS_DEVICE void put_candidates(const stream::Putter<type>& putter, std::uint32_t above, std::uint32_t selected) {
      if (block.rank() >= static_cast<int>(shared.candidate_count)) return;
      const Survivor mine = shared.candidates[block.rank()];
      const std::int32_t page = putter.page_of(block, mine.position);
      std::uint32_t rank = above;
      for (int other = 0; other < Block::cluster_size; ++other) rank += better_in(other, mine.rank());
      if (rank < selected) putter.put(block, page, static_cast<int>(rank), mine.position, mine.bits);
    }

    TAMIS_DEVICE std::uint32_t better_in(int block_rank, std::uint64_t mine) {
      std::uint32_t better = 0;
      if constexpr (Block::cluster_size == 1) {
        for (std::uint32_t i = 0; i < shared.candidate_count; ++i) better += shared.candidates[i].rank() > mine;
      } else {
        const std::uint32_t count = block.remote(shared.candidate_count, block_rank).load();
        const auto theirs = block.remote(shared.candidates[0], block_rank);
        for (std::uint32_t i = 0; i < count; ++i) better += theirs[static_cast<int>(i)].load().rank() > mine;
      }
      return better;
    }

    // Everything above the plateau is taken; the rest comes from it.
    TAMIS_DEVICE bool put_all_and_plateau(const Itinerary& row, const stages::Target<type>& target,
                                          const stream::Bound& bound, std::uint32_t above) {
      put_from(block, arguments, shared, row.window, target, 0);
      if (block.cluster_rank() != 0) return true;
      return stream::put_ties(block, arguments, shared.settle.narrow.scan, row.window, target, bound.low - 1,
                              static_cast<int>(above), row.window.selected - static_cast<int>(above));
    }
  };

  // Lists the survivors for which takes(survivor) holds, in no order, and returns where the entries of this block's
  // list go in the output. The list lies where the histogram was.
  template <class Block, class Takes>
  TAMIS_DEVICE static int list_where(Block block, Shared<Block>& shared, Takes takes) {
    const int count = static_cast<int>(shared.survivors.count);
    std::uint32_t mask = 0;
    std::uint32_t bit = 1;
    for (int entry = block.rank(); entry < count; entry += Block::size, bit *= 2)
      mask |= takes(shared.survivors.list[entry]) ? bit : 0u;
    const auto mine = static_cast<std::uint32_t>(std::popcount(mask));
    const std::uint32_t through = block.scan_add(mine);
    std::uint32_t end = 0;
    if (block.lane() == Block::lanes - 1) end = block.fetch_add(shared.listed, through) + through;
    end = block.broadcast(end, Block::lanes - 1);
    std::uint32_t at = end - block.broadcast(through, Block::lanes - 1) + through - mine;
    TAMIS_ROLL
    for (; mask != 0; mask &= mask - 1)
      shared.settle.histogram.count[at++] = simt::lowest_bit(mask) * Block::size + block.rank();
    block.sync();
    if constexpr (Block::cluster_size == 1) return 0;
    if (block.rank() == 0) shared.base = block.remote(shared.written, 0).fetch_add(shared.listed);
    block.sync();
    return static_cast<int>(shared.base);
  }

  // Puts the listed survivors, several a thread at once so that their pages are loaded together.
  template <class Block>
  TAMIS_DEVICE static void put_listed(Block block, Shared<Block>& shared, const stream::Putter<type>& putter,
                                      int base) {
    constexpr int ahead = 4;
    const int count = static_cast<int>(shared.listed);
    TAMIS_ROLL
    for (int first = block.rank(); first < count; first += ahead * Block::size) {
      stream::Survivor<type> survivors[ahead]{};
      std::int32_t pages[ahead]{};
      TAMIS_UNROLL
      for (int i = 0; i < ahead; ++i) {
        const int entry = first + i * Block::size;
        if (entry >= count) continue;
        survivors[i] = shared.survivors.list[shared.settle.histogram.count[entry]];
        pages[i] = putter.page_of(block, survivors[i].position);
      }
      TAMIS_UNROLL
      for (int i = 0; i < ahead; ++i) {
        const int entry = first + i * Block::size;
        if (entry < count) putter.put(block, pages[i], base + entry, survivors[i].position, survivors[i].bits);
      }
    }
  }

  // Puts what ranks no lower than `last`. Leaves the histogram clear.
  template <class Block>
  TAMIS_DEVICE_OUTLINED static void put_from(Block block, const Arguments& arguments, Shared<Block>& shared,
                                             stages::Window window, stages::Target<type> target, std::uint64_t last) {
    const auto takes = [&](const stream::Survivor<type>& survivor) { return survivor.rank() >= last; };
    put_listed(block, shared, stream::Putter<type>(arguments, target, window.length), list_where(block, shared, takes));
    block.sync();
    clear(block, shared.settle.histogram);
  }

  template <class Block>
  TAMIS_DEVICE_OUTLINED static void put_rest(Block block, stages::Target<type> target, stages::Window window) {
    target.put_rest(block, window);
  }

  template <class Block>
  TAMIS_DEVICE_OUTLINED static void select_unstreamed(Block block, const Arguments& arguments, Shared<Block>& shared,
                                                      stages::Window window, stages::Target<type> target) {
    if (window.whole())
      stages::put_whole_row(block, stages::row_of<type>(arguments, window).window, target, window);
    else
      select_plainly(block, arguments, shared, window, target);
  }

  // Out of line, and static: what it is passed is all that it may keep of the stream's state from registers.
  template <class Block>
  TAMIS_DEVICE_OUTLINED static void select_plainly(Block block, const Arguments& arguments, Shared<Block>& shared,
                                                   stages::Window window, stages::Target<type> target) {
    const stages::Row<type> row = stages::row_of<type>(arguments, window);
    const stages::Threshold open = stages::open_threshold(stages::greatest_key<type>, window.length, window.selected);
    const stages::Threshold threshold = stages::settle(block, shared.settle, row, open);
    stages::deliver(block, shared.settle.narrow.scan, row, threshold, target, stages::Ranked{}, window.selected);
    clear(block, shared.settle.histogram);
  }
};

}  // namespace tamis::kernels
