// A block a row. The row is read once into shared memory where it fits and once a digit from global memory where it
// does not: right for any length and any k, fastest for rows that fit, many at a time.
#pragma once

#include "kernels/room.hpp"
#include "kernels/rows.hpp"
#include "stages/deliver.hpp"
#include "stages/resident.hpp"
#include "stages/settle.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct BlockRow {
  using Arguments = kernels::Arguments;

  struct Shared {
    stages::SettleScratch settle;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    for_each_row(block, arguments, block.grid_rank(), block.grid_size(),
                 [&](int row) { select_row(block, arguments, row); });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void select_row(Block block, const Arguments& arguments, int row) {
    const stages::Window window = stages::find_window(block, arguments, row);
    const auto target = stages::target_of<type>(block, arguments, window);
    const auto scores = stages::row_of<type>(arguments, window);
    target.put_rest(block, window);
    Tail tail = tail_of<Shared>(block, arguments);
    if (stores_only(arguments, window)) {
      stages::put_whole_row(block, scores.window, target, window);
    } else if (auto* room = tail.take<typename stages::Row<type>::Pack>(scores.end - scores.begin)) {
      select_from(block, window, target, stages::make_resident(block, scores, room), tail);
    } else {
      select_from(block, window, target, scores, tail);
    }
  }

  template <class Block, class Source>
  TAMIS_DEVICE static void select_from(Block block, stages::Window window, const stages::Target<type>& target,
                                       const Source& source, Tail tail) {
    auto& scratch = simt::shared<Shared>(block).settle;
    const auto threshold = stages::settle(block, scratch, source, stages::open_threshold<type>(window));
    stages::deliver(block, scratch.narrow.scan, source, threshold, target,
                    sort_room(*target.arguments, tail, block.grid_rank(), window.selected), window.selected);
  }
};

}  // namespace tamis::kernels
