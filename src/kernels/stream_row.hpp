// Many long rows, each read once: a sample gives a bound, the row streams through shared memory by bulk copies while
// what reaches the bound is kept, and the k best are picked from the survivors on chip. Blocks stay and take row after
// row; the next row's scores arrive while one is being finished. A row that the sample misled is selected the plain
// way: right on every input. Needs has_transactions, and an order of any. A method of its own: no stage reads a row
// that arrives by itself.
#pragma once

#include "kernels/stream/itinerary.hpp"
#include "kernels/stream/pick.hpp"
#include "kernels/stream/raise.hpp"
#include "kernels/stream/ring.hpp"
#include "kernels/stream/sample.hpp"
#include "stages/deliver.hpp"

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
    stream::BoundScratch<Block> bound;
    stages::SettleScratch settle;
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
    int turn = 0;  // of the sample's histograms
    Picker picker{block, shared.pick, shared.settle};

    static constexpr int planner = 2 * Block::lanes;  // the first thread of those that plan

    TAMIS_DEVICE void run() {
      stream::clear_unsynced(block, shared.bound);
      picker.open_unsynced();
      ring.open(block, shared.ring);
      block.allow_next_kernel();
      block.wait_for_previous_kernel();
      plan(0);
      block.cluster_sync();
      for (int i = 0; row_of(i) < arguments.shape.rows; ++i) select(i);
      block.cluster_sync();
    }

    // The block's row number `i` in the matrix.
    TAMIS_DEVICE std::int64_t row_of(int i) const {
      const int blocks = block.grid_size() / Block::cluster_size;
      return block.grid_rank() / Block::cluster_size + std::int64_t{i} * blocks;
    }
    TAMIS_DEVICE const Itinerary& itinerary(int i) const { return shared.rows[i % stream::itineraries]; }

    // Plans rows [begin, begin + planned_at_once): a thread a row.
    TAMIS_DEVICE void plan(int begin) {
      const int i = begin + block.rank() - planner;
      if (i < begin || i >= begin + stream::planned_at_once) return;
      shared.rows[i % stream::itineraries] =
          stream::plan_row<type>(block, arguments, row_of(i), Block::size * Sample::items,
                                 {stream::least_packs<Block, sample_packs>, most_selected});
    }
    TAMIS_DEVICE void select(int i) {
      const Itinerary& row = itinerary(i);
      if (block.cluster_rank() == 0 && row.has_rest(arguments)) put_rest(block, arguments, row);
      const bool streams = row.streams();
      stream::Bound bound{};
      if (streams)
        bound = find_bound(i);
      else
        block.sync();
      ring.fill(block, shared.ring, shared.rows, i + 1);
      prefetch_sample(i + 1);
      if (i % stream::planned_at_once == stream::planned_at_once / 2) plan(i + stream::planned_at_once / 2);
      if (streams) {
        keep_survivors(i, bound);
        if (!picker.pick(arguments, row, bound) && block.cluster_rank() == 0)
          select_plainly(block, arguments, shared, row);
      } else if (block.cluster_rank() == 0) {
        select_unstreamed(block, arguments, shared, row);
      }
    }

    TAMIS_DEVICE stream::Bound find_bound(int i) {
      constexpr int items = stream::Body<type>::items;
      const Itinerary& row = itinerary(i);
      const auto sample = stream::load_sample<sample_packs>(block, row.body, row.window.row);
      ring.fill(block, shared.ring, shared.rows, i);  // behind the sample in memory's queues
      std::uint32_t keys[Sample::items];
      TAMIS_UNROLL
      for (int j = 0; j < Sample::items; ++j) keys[j] = stream::key_of_score<type>(sample.pack[j / items][j % items]);
      return stream::bound_of(block, shared.bound, turn, keys, row.ranks);
    }
    TAMIS_DEVICE void prefetch_sample(int i) const {
      const Itinerary& row = itinerary(i);
      if (row.streams()) stream::prefetch_sample<sample_packs>(block, row.body, row.window.row);
    }

    // Lists and counts what reaches the bound, in this block's share of the row. Leaves the cluster synchronised on it.
    TAMIS_DEVICE void keep_survivors(int i, const stream::Bound& bound) {
      auto& survivors = shared.pick.survivors;
      const auto selected = static_cast<std::uint32_t>(itinerary(i).window.selected);
      std::uint32_t low = bound.low;
      int chunk = Ring::first(block);
      for (bool done = false;;) {
        done = done || keep_chunks(i, bound, stream::least_number<type>(low), chunk);
        block.sync();
        if (!survivors.overflowed()) break;
        low = stream::raise(block, shared.settle, survivors, bound, low, selected);
      }
      if constexpr (Block::cluster_size > 1) block.cluster_sync();
    }

    // The warp's chunks from `chunk` on; false where the list has no room for one.
    TAMIS_DEVICE bool keep_chunks(int i, const stream::Bound& bound, stream::Number<type> least, int& chunk) {
      auto& survivors = shared.pick.survivors;
      const Itinerary& row = itinerary(i);
      const int count = row.body.count;
      for (; chunk * packs < count; chunk += Ring::step) {
        const auto* scores = ring.wait(block, shared.ring);
        if (!stream::keep_chunk<packs>(block, survivors, bound, least, scores, count - chunk * packs,
                                       row.body.lead + chunk * packs * row.body.items))
          return false;
        ring.release(block, shared.ring, shared.rows, i + 1);
      }
      if (Ring::first(block) != Ring::step - 1) return true;
      return stream::keep_edges(block, survivors, bound, least, stages::row_of<type>(arguments, row.window));
    }
  };

  // --- out of line, and static: what they are passed is all that they keep of the stream's state from registers ---

  template <class Block>
  TAMIS_DEVICE_OUTLINED static void put_rest(Block block, const Arguments& arguments,
                                             const stream::Itinerary<type>& row) {
    row.target(arguments).put_rest(block, row.window);
  }

  template <class Block>
  TAMIS_DEVICE_OUTLINED static void select_unstreamed(Block block, const Arguments& arguments, Shared<Block>& shared,
                                                      const stream::Itinerary<type>& row) {
    const stages::Window window = row.window;
    if (window.whole())
      stages::put_whole_row(block, stages::row_of<type>(arguments, window).window, row.target(arguments), window);
    else
      select_plainly(block, arguments, shared, row);
  }

  template <class Block>
  TAMIS_DEVICE_OUTLINED static void select_plainly(Block block, const Arguments& arguments, Shared<Block>& shared,
                                                   const stream::Itinerary<type>& itinerary) {
    const stages::Window window = itinerary.window;
    const stages::Row<type> row = stages::row_of<type>(arguments, window);
    const stages::Threshold open = stages::open_threshold(stages::greatest_key<type>, window.length, window.selected);
    const stages::Threshold threshold = stages::settle(block, shared.settle, row, open);
    stages::deliver(block, shared.settle.narrow.scan, row, threshold, itinerary.target(arguments), stages::Ranked{},
                    window.selected);
  }
};

}  // namespace tamis::kernels
