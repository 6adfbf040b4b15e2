// A block a row. The row is read once into shared memory where it fits and once a digit from global memory where it
// does not: right for any length and any k, fastest for rows that fit, many at a time.
#pragma once

#include "kernels/room.hpp"
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
    block.allow_next_kernel();
    block.wait_for_previous_kernel();
    const auto rows = static_cast<int>(arguments.shape.rows);
    for (int row = block.grid_rank(); row < rows; row += block.grid_size()) select_row(block, arguments, row);
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void select_row(Block block, const Arguments& arguments, int row) {
    const stages::Window window = stages::find_window(block, arguments, row);
    const stages::Target<type> target = stages::open_target<type>(block, arguments, window);
    const stages::Row<type> scores = stages::row_of<type>(arguments, window);
    if (window.whole() && arguments.shape.order != Order::by_score) {
      stages::put_whole_row(block, scores.window, target, window);
    } else if (fits_tail<Shared>(arguments, (scores.end - scores.begin) * 16LL)) {
      auto* room = simt::tail<Shared, typename stages::Row<type>::Pack>(block);
      select_from(block, arguments, window, target, stages::make_resident(block, scores, room));
    } else {
      select_from(block, arguments, window, target, scores);
    }
  }

  template <class Block, class Source>
  TAMIS_DEVICE static void select_from(Block block, const Arguments& arguments, stages::Window window,
                                       const stages::Target<type>& target, const Source& source) {
    auto& shared = simt::shared<Shared>(block);
    const stages::Threshold open = stages::open_threshold(stages::greatest_key<type>, window.length, window.selected);
    const stages::Threshold threshold = stages::settle(block, shared.settle, source, open);
    stages::deliver(block, shared.settle.narrow.scan, source, threshold, target,
                    sort_room(arguments, block.grid_rank()), window.selected);
  }
};

}  // namespace tamis::kernels
