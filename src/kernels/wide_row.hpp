// A block of 1024 threads a row, for machines whose units hold two such blocks, each within 64 registers a thread and
// half of the shared memory. A row that fits is read once and kept on chip. Of a longer one a sample gives a bound, and
// one pass lists the scores that reach it. Where that fails (a guess that misled, or k too large to list) the row is
// read once a digit.
#pragma once

#include "kernels/wide/sample.hpp"
#include "kernels/wide/select.hpp"
#include "stages/resident.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct WideRow {
  using Arguments = kernels::Arguments;
  using Shared = wide::Shared;
  using Row = stages::Row<type>;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    block.allow_next_kernel();
    block.wait_for_previous_kernel();
    for (unsigned row = block.grid_rank(); row < block.reread(arguments).shape.rows; row += block.grid_size())
      select_row(block, block.reread(arguments), static_cast<int>(row));
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void select_row(Block block, const Arguments& arguments, int row) {
    const stages::Window window = wide::window_of(block, arguments, row);
    const wide::Picked picked =
        stores_only(arguments, window) ? wide::Picked::ascending : pick(block, arguments, window);
    const Arguments& again = block.reread(arguments);
    wide::deliver<type>(block, row, again, room_of(block, again), picked);
    block.sync();
  }

  template <class Block>
  TAMIS_DEVICE static std::byte* room_of(Block block, const Arguments& arguments) {
    return arguments.workspace + block.grid_rank() * wide::room_bytes(arguments.shape);
  }

  template <class Block>
  TAMIS_DEVICE static wide::Picks picks_of(Block block, const Arguments& arguments) {
    return wide::Picks::of(arguments.shape, simt::shared<Shared>(block).settle.histogram, room_of(block, arguments));
  }

  template <class Block>
  TAMIS_DEVICE static wide::Picked pick(Block block, const Arguments& arguments, stages::Window window) {
    const Row row = stages::row_of<type>(arguments, window);
    Tail tail = tail_of<Shared>(block, arguments);
    if (auto* room = tail.take<typename Row::Pack>(row.end - row.begin))
      return pick_ordered(block, arguments, stages::make_resident_unsynced(block, row, room),
                          stages::open_threshold<type>(window));
    return pick_from(block, block.reread(arguments), window, list_best(block, block.reread(arguments), window));
  }

  template <class Block, class Source>
  TAMIS_DEVICE static wide::Picked pick_ordered(Block block, const Arguments& arguments, const Source& source,
                                                stages::Threshold open) {
    wide::pick_ordered(block, simt::shared<Shared>(block), source, open,
                       [&] { return picks_of(block, block.reread(arguments)); });
    return wide::Picked::ascending;
  }

  // Lists what reaches a bound that is guessed, as far as there is room. Returns what that has shown of the threshold.
  template <class Block>
  TAMIS_DEVICE static stages::Threshold list_best(Block block, const Arguments& arguments, stages::Window window) {
    auto& shared = simt::shared<Shared>(block);
    const Row row = stages::row_of<type>(arguments, window);
    const auto list = wide::list_of(block, arguments);
    const std::uint32_t bound = wide::guess_bound(block, shared.settle, row, window.selected, list.capacity);
    if (bound == 0) return stages::open_threshold<type>(window);
    return wide::known<type>(bound, wide::append(block, shared.counter, row, bound, list), window);
  }

  // From the list where it is all there, otherwise from the row.
  template <class Block>
  TAMIS_DEVICE static wide::Picked pick_from(Block block, const Arguments& arguments, stages::Window window,
                                             stages::Threshold open) {
    const auto list = wide::list_of(block, arguments);
    if (open.low == 0 || open.candidates > list.capacity)
      return pick_ordered(block, arguments, stages::row_of<type>(arguments, window), open);
    wide::pick_listed<type>(block, simt::shared<Shared>(block),
                            {list.entries, arguments.shape.nan, 0, static_cast<int>(open.candidates)}, open,
                            picks_of(block, arguments));
    return wide::Picked::unordered;
  }
};

}  // namespace tamis::kernels
