// Merges the candidate lists of a row's shards. Lists are in no order and positions are global, so ties are settled by
// position, and what is selected is sorted: by score, or by position where any order will do.
#pragma once

#include "kernels/merge_lists.hpp"
#include "kernels/room.hpp"
#include "kernels/rows.hpp"
#include "stages/deliver.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct Merge {
  using Arguments = kernels::Arguments;

  struct Shared {
    stages::SettleScratch settle;
    std::uint32_t counter;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    for_each_row(block, arguments, block.grid_rank(), block.grid_size(),
                 [&](int row) { merge_row(block, arguments, row); });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void merge_row(Block block, const Arguments& arguments, int row) {
    auto& shared = simt::shared<Shared>(block);
    const auto source = merge_lists_of<type>(arguments, row);
    const stages::Window window = merged_window(block, shared.settle.narrow.scan, arguments, row);
    const auto target = stages::target_of<type>(block, arguments, window);
    target.put_rest(block, window);
    const auto chosen = stages::choose(block, shared.settle, source, stages::open_threshold<type>(window));
    const Order order = arguments.shape.order == Order::by_score ? Order::by_score : Order::by_index;
    const auto room = sort_room(arguments, tail_of<Shared>(block, arguments), block.grid_rank(), window.selected);
    stages::deliver_unordered(block, shared.counter, source, chosen, target, room, order, window.selected);
  }
};

}  // namespace tamis::kernels
