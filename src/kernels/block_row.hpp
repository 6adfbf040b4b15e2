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
  using Row = stages::Row<type>;
  using Target = stages::Target<type>;

  struct Shared {
    stages::SettleScratch settle;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    select_rows<type>(block, arguments, [&](stages::Window window, const Target& target, const Row& scores) {
      Tail tail = tail_of<Shared>(block, arguments);
      if (auto* room = tail.take<typename Row::Pack>(scores.end - scores.begin))
        select_from(block, window, target, stages::make_resident_unsynced(block, scores, room), tail);
      else
        select_from(block, window, target, scores, tail);
    });
  }

 private:
  template <class Block, class Source>
  TAMIS_DEVICE static void select_from(Block block, stages::Window window, const Target& target, const Source& source,
                                       Tail tail) {
    auto& scratch = simt::shared<Shared>(block).settle;
    const auto threshold = stages::settle(block, scratch, source, stages::open_threshold<type>(window));
    stages::deliver(block, scratch.narrow.scan, source, threshold, target,
                    sort_room(*target.arguments, tail, block.grid_rank(), window.selected), window.selected);
  }
};

}  // namespace tamis::kernels
