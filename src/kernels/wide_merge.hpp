// Merges the candidate lists of a row's shards, as kernels/merge.hpp does, by a block of 1024 threads within 64
// registers a thread: each step reads the arguments that it needs again.
#pragma once

#include "kernels/merge_lists.hpp"
#include "kernels/room.hpp"
#include "stages/deliver.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct WideMerge {
  using Arguments = kernels::Arguments;

  struct Shared {
    stages::SettleScratch settle;
    std::uint32_t counter;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    block.allow_next_kernel();
    block.wait_for_previous_kernel();
    for (unsigned row = block.grid_rank(); row < block.reread(arguments).shape.rows; row += block.grid_size())
      merge_row(block, block.reread(arguments), static_cast<int>(row));
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void merge_row(Block block, const Arguments& arguments, int row) {
    auto& shared = simt::shared<Shared>(block);
    const stages::Window window = block.uniform(merged_window(block, shared.settle.narrow.scan, arguments, row));
    const auto chosen = stages::choose(block, shared.settle, merge_lists_of<type>(block.reread(arguments), row),
                                       stages::open_threshold<type>(window));
    rank(block, block.reread(arguments), window, chosen);
    stages::sort(block, room_of(block, block.reread(arguments), window.selected), window.selected);
    write(block, block.reread(arguments), window);
    block.sync();
  }

  template <class Block>
  TAMIS_DEVICE static stages::Ranked room_of(Block block, const Arguments& arguments, int selected) {
    return sort_room(arguments, tail_of<Shared>(block, arguments), block.grid_rank(), selected);
  }

  template <class Block>
  TAMIS_DEVICE static void rank(Block block, const Arguments& arguments, stages::Window window,
                                const stages::Chosen& chosen) {
    const Order order = arguments.shape.order == Order::by_score ? Order::by_score : Order::by_index;
    const auto list = room_of(block, arguments, window.selected);
    stages::take_in_any_order(block, simt::shared<Shared>(block).counter, merge_lists_of<type>(arguments, window.row),
                              chosen, window.selected, [&](int at, stages::Item item, std::uint32_t score) {
                                stages::put_ranked(list, at, stages::rank_of(order, item), score);
                              });
  }

  template <class Block>
  TAMIS_DEVICE static void write(Block block, const Arguments& arguments, stages::Window window) {
    const auto target = stages::target_of<type>(block, arguments, window);
    target.put_rest(block, window);
    stages::put_ranked_list(block, room_of(block, arguments, window.selected), target, window.selected);
  }
};

}  // namespace tamis::kernels
