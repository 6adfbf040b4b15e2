// A cluster a row, for few long rows: each block keeps a share of the row, histograms are summed through the cluster's
// shared memory, and every block writes what it holds of the selection at its place in the output. Between two meetings
// of the cluster a block either writes what others read, or reads what others wrote: so every reach into another's
// memory lies between two meetings, and none precedes its start or outlasts its end.
#pragma once

#include "kernels/room.hpp"
#include "kernels/rows.hpp"
#include "stages/deliver.hpp"
#include "stages/resident.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct ClusterRow {
  using Arguments = kernels::Arguments;
  using Target = stages::Target<type>;

  struct Shared {
    stages::SettleScratch settle;
    stages::Tally tally;  // of this block's share
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    constexpr int size = Block::cluster_size;
    for_each_row(block, arguments, block.grid_rank() / size, block.grid_size() / size,
                 [&](int row) { select_row(block, arguments, row); });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void select_row(Block block, const Arguments& arguments, int row) {
    const stages::Window window = stages::find_window(block, arguments, row);
    const auto target = stages::target_of<type>(block, arguments, window);
    const auto scores = stages::row_of<type>(arguments, window);
    const bool leads = block.cluster_rank() == 0;
    if (leads) target.put_rest(block, window);
    if (stores_only(arguments, window)) {
      if (leads) stages::put_whole_row(block, scores.window, target, window);
      return;
    }
    const auto share = stages::share_of(scores, block.cluster_rank(), Block::cluster_size);
    Tail tail = tail_of<Shared>(block, arguments);
    if (auto* room = tail.take<typename stages::Row<type>::Pack>(share.end - share.begin))
      select_from(block, window, target, stages::make_resident_unsynced(block, share, room));
    else
      select_from(block, window, target, share);
  }

  template <class Block, class Source>
  TAMIS_DEVICE static void select_from(Block block, stages::Window window, const Target& target, const Source& share) {
    auto& shared = simt::shared<Shared>(block);
    const auto threshold = settle(block, shared.settle, share, stages::open_threshold<type>(window));
    const stages::Tally before = tally_before(block, shared, share, threshold);
    if (target.arguments->shape.order == Order::by_score)
      deliver_by_score(block, shared, share, threshold, before, target, window.selected);
    else
      stages::take_in_order(
          block, shared.settle.narrow.scan, share, threshold, before,
          [&](int rank, stages::Item item, std::uint32_t score) { target.put(block, rank, item.position, score); });
  }

  // As stages::settle, over all shares: every block comes to the same threshold.
  template <class Block, class Source>
  TAMIS_DEVICE static stages::Threshold settle(Block block, stages::SettleScratch& scratch, const Source& share,
                                               stages::Threshold threshold) {
    while (!threshold.settled()) {
      stages::clear(block, scratch.histogram);
      stages::count(block, scratch.histogram, share, threshold);
      block.cluster_sync();
      threshold = stages::narrow(block, scratch.narrow, threshold, [&](int bin) {
        std::uint32_t sum = 0;
        for (int rank = 0; rank < Block::cluster_size; ++rank)
          sum += block.remote(scratch.histogram.count[bin], rank).load();
        return sum;
      });
      block.cluster_sync();  // all have read the counts, which the next digit clears
    }
    return threshold;
  }

  template <class Block, class Source>
  TAMIS_DEVICE static stages::Tally tally_before(Block block, Shared& shared, const Source& share,
                                                 stages::Threshold threshold) {
    const stages::Tally mine = stages::tally(block, shared.settle.narrow.scan, share, threshold);
    if (block.rank() == 0) shared.tally = mine;
    block.cluster_sync();
    stages::Tally before{0, 0};
    for (int rank = 0; rank < block.cluster_rank(); ++rank) {
      const stages::Tally other = block.remote(shared.tally, rank).load();
      before = {before.above + other.above, before.candidates + other.candidates};
    }
    block.cluster_sync();  // all have read the tallies: a block may go on, or end
    return before;
  }

  // All blocks list their items in the workspace; the first sorts and writes them.
  template <class Block, class Source>
  TAMIS_DEVICE static void deliver_by_score(Block block, Shared& shared, const Source& share,
                                            stages::Threshold threshold, stages::Tally before, const Target& target,
                                            int selected) {
    const int cluster = block.grid_rank() / Block::cluster_size;
    const auto list = workspace_sort_room(*target.arguments, cluster);
    stages::take_in_order(block, shared.settle.narrow.scan, share, threshold, before,
                          [&](int rank, stages::Item item, std::uint32_t score) {
                            stages::put_ranked(list, rank, stages::rank_of(Order::by_score, item), score);
                          });
    block.cluster_sync();
    // The others go on to the next row: they write no list before they meet the first block there, in tally_before.
    if (block.cluster_rank() == 0) sort_and_put(block, list, target, selected);
  }

  // Sorts a copy on chip where it fits.
  template <class Block>
  TAMIS_DEVICE static void sort_and_put(Block block, stages::Ranked list, const Target& target, int selected) {
    const auto room = sort_room(*target.arguments, tail_of<Shared>(block, *target.arguments),
                                block.grid_rank() / Block::cluster_size, selected);
    if (room.rank != list.rank) {
      for (int i = block.rank(); i < selected; i += Block::size)
        stages::put_ranked(room, i, list.rank[i], list.bits[i]);
      block.sync();
    }
    stages::put_sorted(block, room, target, selected);
  }
};

}  // namespace tamis::kernels
