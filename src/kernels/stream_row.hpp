// Many long rows, each read once: a sample gives a bound, the row streams through shared memory by bulk copies while
// what reaches the bound is kept, and the k best are picked from the survivors on chip. Blocks stay and take row after
// row; the next row's scores arrive while one is being finished. A row that the sample misled is selected the plain
// way: right on every input. Needs has_transactions, and an order of any. A method of its own: no stage reads a row
// that arrives by itself.
#pragma once

#include "kernels/stream/fallback.hpp"
#include "kernels/stream/itinerary.hpp"
#include "kernels/stream/pick.hpp"
#include "kernels/stream/relist.hpp"
#include "kernels/stream/ring.hpp"
#include "kernels/stream/sample.hpp"

namespace tamis::kernels {

// `packs` of 16 bytes a chunk, `depth` chunks a warp on their way, room for `capacity` survivors a block,
// `sample_packs` of a row in each thread's part of the sample.
template <ScoreType type, int packs, int depth, int capacity, int sample_packs>
struct StreamRow {
  using Arguments = kernels::Arguments;

  // More is not selected from a stream: a full list holds more than that, and room can be made for another chunk.
  static constexpr int most_selected = std::min<int>(stages::bins, capacity - packs * stream::Body<type>::items);

  template <class Block>
  struct Shared {
    stream::RingStorage<Block, type, packs, depth> ring;
    stream::PickScratch<type, capacity> pick;
    union {
      stream::BoundScratch<Block> bound;
      stages::SettleScratch settle;  // what uses it clears the other behind it
    };
    stream::Itinerary<type> rows[stream::itineraries];
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    if constexpr (Block::has_transactions) Journey<Block>{block, arguments, simt::shared<Shared<Block>>(block)}.run();
  }

 private:
  template <class Block>
  struct Journey {
    using Ring = stream::Ring<Block, type, packs, depth>;
    using Sample = stream::Sample<type, sample_packs>;
    using Picker = stream::Picker<Block, type, capacity>;
    using Itinerary = stream::Itinerary<type>;

    Block block;
    const Arguments& arguments;
    Shared<Block>& shared;
    Ring ring{block};
    Picker picker{block, shared.pick};

    TAMIS_DEVICE void run() {
      stream::clear_unsynced(block, shared.bound);
      picker.open_unsynced();
      ring.open(block, shared.ring);
      block.allow_next_kernel();
      block.wait_for_previous_kernel();
      plan<Block>(block, arguments, shared.rows, 0);
      block.cluster_sync();
      for (int i = 0; row_of(block, i) < arguments.shape.rows; ++i) select(i);
      block.cluster_sync();
    }

    // The block's row number `i` in the matrix.
    TAMIS_DEVICE static std::int64_t row_of(Block block, int i) {
      const int blocks = block.grid_size() / Block::cluster_size;
      return block.grid_rank() / Block::cluster_size + std::int64_t{i} * blocks;
    }
    TAMIS_DEVICE const Itinerary& itinerary(int i) const {
      return shared.rows[static_cast<unsigned>(i) % stream::itineraries];
    }

    TAMIS_DEVICE void select(int i) {
      const Itinerary& row = itinerary(i);
      const bool streams = row.streams();
      stream::Bound bound{};
      if (streams) bound = find_bound(i);
      ring.fill(block, shared.ring, shared.rows, i + 1);
      prefetch_sample(i + 1);
      if (i % stream::planned_at_once == stream::planned_at_once / 2)
        plan_rows(block, arguments, shared.rows, i + stream::planned_at_once / 2);
      if (streams) keep_survivors(i, bound);
      if (!streams || !picker.pick(arguments, row, bound))
        select_otherwise(block, arguments, shared, row, bound.low, bound.plateau);
      picker.reset();
      stream::clear_unsynced(block, shared.bound);
    }

    TAMIS_DEVICE stream::Bound find_bound(int i) {
      const Itinerary& row = itinerary(i);
      const auto begin_filling = [&] {
        if (beyond_cache()) ring.fill(block, shared.ring, shared.rows, i, 1);
      };
      return bound_of(block, shared.bound, row, row.ranks, begin_filling, [&] {
        ring.fill(block, shared.ring, shared.rows, i);  // now that the sample has arrived, which it would delay
        picker.forget_candidates_unsynced();
      });
    }
    // Whether memory is what the rows wait for: a chunk a warp is then asked for together with the sample, which it
    // would delay elsewhere. On an H200 128 rows of 131072 take 22.6 us with it and 23.8 without, 256 of 32768 14.4
    // and 13.6.
    TAMIS_DEVICE bool beyond_cache() const {
      constexpr std::int64_t cached = std::int64_t{12} << 20;  // scores
      return arguments.shape.rows * arguments.shape.width > cached;
    }
    TAMIS_DEVICE void prefetch_sample(int i) const {
      const Itinerary& row = itinerary(i);
      if (row.streams()) stream::prefetch_sample<sample_packs>(block, row.body, row.window.row);
    }

    // Lists what reaches the bound, in this block's share of the row. Leaves the cluster synchronised on it.
    TAMIS_DEVICE void keep_survivors(int i, const stream::Bound& bound) {
      auto& survivors = shared.pick.survivors;
      const auto selected = static_cast<std::uint32_t>(itinerary(i).window.selected);
      if (block.warp() == Block::warps - 1)
        stream::Putter<type>(arguments, itinerary(i)).touch_pages(block, itinerary(i).window.length);
      int chunk = Ring::first(block);
      stream::list_all(block, shared.settle, survivors, bound.low, selected,
                       [&](stream::Number<type> least) { return keep_chunks(i, least, chunk); });
    }

    // The warp's chunks from `chunk` on; false where the list has no room for one.
    TAMIS_DEVICE bool keep_chunks(int i, stream::Number<type> least, int& chunk) {
      auto& survivors = shared.pick.survivors;
      const Itinerary& row = itinerary(i);
      const int count = row.body.count;
      for (; chunk * packs < count; chunk += Ring::step) {
        const auto* scores = ring.wait(block, shared.ring);
        if (!stream::keep_chunk<packs>(block, survivors, least, scores, count - chunk * packs,
                                       row.body.lead + chunk * packs * row.body.items))
          return false;
        ring.release(block, shared.ring, shared.rows, i + 1);
      }
      if (Ring::first(block) != Ring::step - 1) return true;
      return stream::keep_edges(block, survivors, least, stages::row_of<type>(arguments, row.window));
    }
  };

  // A bound from a sample of the row. Calls asked() when the sample is on its way, and meanwhile() when it has arrived
  // in all threads.
  template <class Block, class Asked, class Meanwhile>
  TAMIS_DEVICE static stream::Bound bound_of(Block block, stream::BoundScratch<Block>& scratch,
                                             const stream::Itinerary<type>& row, stream::Ranks ranks, Asked asked,
                                             Meanwhile meanwhile) {
    using Sample = stream::Sample<type, sample_packs>;
    constexpr int items = stream::Body<type>::items;
    const Sample sample = stream::load_sample<sample_packs>(block, row.body, row.window.row);
    asked();
    std::uint32_t keys[Sample::items];
    TAMIS_UNROLL
    for (int i = 0; i < Sample::items; ++i) keys[i] = stream::key_of_score<type>(sample.pack[i / items][i % items]);
    const stream::Range range = stream::range_of(block, scratch, keys, ranks.low);
    meanwhile();
    return stream::bound_in(block, scratch, keys, range, ranks);
  }

  // Any row that is not picked from its stream. Out of line: what it is passed is all that it keeps of the stream's
  // state from registers. Leaves the cluster synchronised.
  template <class Block>
  TAMIS_DEVICE_OUTLINED static void select_otherwise(Block block, const Arguments& arguments, Shared<Block>& shared,
                                                     const stream::Itinerary<type>& row, std::uint32_t low,
                                                     bool plateau) {
    block.cluster_sync();
    if (block.cluster_rank() == 0) row.target(arguments).put_rest(block, row.window);
    bool listed = false;
    if (row.streams()) {
      const bool misled = !plateau && stream::sum_in_cluster(block, shared.pick.survivors.count) <
                                          static_cast<std::uint32_t>(row.window.selected);
      if (misled)
        listed =
            stream::select_relisted(block, arguments, shared.pick, shared.settle, row, lower_key(block, shared, row));
      else
        listed = stream::select_listed(block, arguments, shared.pick, shared.settle, row, low, plateau);
    }
    if (!listed && block.cluster_rank() == 0) stream::select_plainly(block, arguments, shared.settle, row);
    block.cluster_sync();
  }

  // A key that about twice as many scores reach as are selected.
  template <class Block>
  TAMIS_DEVICE static std::uint32_t lower_key(Block block, Shared<Block>& shared, const stream::Itinerary<type>& row) {
    const std::uint32_t rank = std::min<std::uint32_t>(2 * row.ranks.low, Block::size * sample_packs);
    stream::clear_unsynced(block, shared.bound);
    block.sync();
    const stream::Bound bound = bound_of(
        block, shared.bound, row, {rank, 1}, [] {}, [] {});
    return bound.plateau ? bound.low - 1 : bound.low;
  }

  // Plans rows [begin, begin + planned_at_once) of the block: a thread a row.
  template <class Block>
  TAMIS_DEVICE static void plan(Block block, const Arguments& arguments, stream::Itinerary<type>* rows, int begin) {
    constexpr int planner = Block::lanes;  // the first thread of those that plan
    const int i = begin + block.rank() - planner;
    if (i < begin || i >= begin + stream::planned_at_once) return;
    rows[i % stream::itineraries] = stream::plan_row<type>(block, arguments, Journey<Block>::row_of(block, i),
                                                           Block::size * stream::Sample<type, sample_packs>::items,
                                                           {stream::least_packs<Block, sample_packs>, most_selected});
  }
  template <class Block>
  TAMIS_DEVICE_OUTLINED static void plan_rows(Block block, const Arguments& arguments, stream::Itinerary<type>* rows,
                                              int begin) {
    plan(block, arguments, rows, begin);
  }
};

}  // namespace tamis::kernels
