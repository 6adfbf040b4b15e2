// A long row over many blocks of 1024 threads, for machines without clusters. Two launches and no waiting: the first
// guesses every row's bound and clears its counters, which the workspace does not hold clear; in the second each block
// lists what of its part reaches the bound, adds that to the row's list, and the last to arrive selects among all.
#pragma once

#include "kernels/wide/sample.hpp"
#include "kernels/wide/select.hpp"
#include "kernels/wide/split_room.hpp"

namespace tamis::kernels {

// The first launch: a block a row.
template <ScoreType type>
struct WideBound {
  using Arguments = kernels::Arguments;
  using Shared = wide::Shared;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    block.allow_next_kernel();
    block.wait_for_previous_kernel();
    const int row = block.grid_rank();
    if (row >= arguments.shape.rows) return;
    const stages::Window window = wide::window_of(block, arguments, row);
    std::uint32_t bound = 0;
    if (!stores_only(arguments, window))
      bound = wide::guess_bound(block, simt::shared<Shared>(block).settle, stages::row_of<type>(arguments, window),
                                window.selected, wide::split_capacity(arguments.shape));
    if (block.rank() == 0)
      *wide::split_state(block.reread(arguments), row) = {.bound = bound, .reached = 0, .arrived = 0, .unused = 0};
  }
};

// The second launch: `parts` blocks a row.
template <ScoreType type>
struct WideSplit {
  using Arguments = kernels::Arguments;
  using Shared = wide::Shared;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    block.allow_next_kernel();
    block.wait_for_previous_kernel();
    const int row = block.grid_rank() / arguments.parts;
    if (row >= arguments.shape.rows) return;
    const std::uint32_t bound = block.load(&wide::split_state(arguments, row)->bound);
    if (bound != 0)
      select_together(block, arguments, row, bound);
    else if (block.grid_rank() % arguments.parts == 0)
      select_alone(block, arguments, row);
  }

 private:
  static constexpr std::uint32_t not_last = ~0u;

  // Rows of which no score decides, and those too short to be guessed at.
  template <class Block>
  TAMIS_DEVICE static void select_alone(Block block, const Arguments& arguments, int row) {
    const stages::Window window = wide::window_of(block, arguments, row);
    if (!stores_only(arguments, window)) pick_from_row(block, arguments, row, stages::open_threshold<type>(window));
    deliver(block, block.reread(arguments), row, wide::Picked::ascending);
  }

  template <class Block>
  TAMIS_DEVICE static void select_together(Block block, const Arguments& arguments, int row, std::uint32_t bound) {
    list_part(block, arguments, row, bound);
    const std::uint32_t total = arrive(block, block.reread(arguments), row);
    if (total == not_last) return;
    const Arguments& again = block.reread(arguments);
    const stages::Window window = wide::window_of(block, again, row);
    const stages::Threshold open = wide::known<type>(bound, total, window);
    const bool listed = open.low != 0 && total <= wide::split_capacity(again.shape);
    if (listed)
      pick_from_list(block, again, row, open);
    else
      pick_from_row(block, again, row, open);
    deliver(block, block.reread(arguments), row, listed ? wide::Picked::unordered : wide::Picked::ascending);
  }

  // --- a part ---

  // Adds the part's candidates to the row's list. Where either list is too short for them the row's count says so.
  template <class Block>
  TAMIS_DEVICE static void list_part(Block block, const Arguments& arguments, int row, std::uint32_t bound) {
    auto& shared = simt::shared<Shared>(block);
    const auto list = wide::list_of(block, arguments);
    const auto scores = stages::row_of<type>(arguments, wide::window_of(block, arguments, row));
    const auto part = stages::share_of(scores, block.grid_rank() % arguments.parts, arguments.parts);
    const std::uint32_t reached = wide::append(block, shared.counter, part, bound, list);
    const Arguments& again = block.reread(arguments);
    if (block.rank() == 0) shared.place = block.global_fetch_add(wide::split_state(again, row)->reached, reached);
    block.sync();
    stages::Candidate* together = wide::split_list(again, row);
    const std::uint32_t place = block.uniform(shared.place);
    for (std::uint32_t i = block.rank(); i < reached && place + i < wide::split_capacity(again.shape); i += Block::size)
      together[place + i] = list.entries[i];
  }

  // Returns the row's candidates where the block is the last of its parts to arrive, otherwise `not_last`.
  template <class Block>
  TAMIS_DEVICE static std::uint32_t arrive(Block block, const Arguments& arguments, int row) {
    auto& shared = simt::shared<Shared>(block);
    block.sync();  // all of the part is listed before it arrives
    if (block.rank() == 0) {
      wide::SplitState& state = *wide::split_state(arguments, row);
      const bool last = block.global_arrive(state.arrived, 1) + 1 == static_cast<std::uint32_t>(arguments.parts);
      shared.total = last ? block.global_load(state.reached) : not_last;
    }
    block.sync();
    return block.uniform(shared.total);
  }

  // --- the last to arrive ---

  template <class Block>
  TAMIS_DEVICE static void pick_from_list(Block block, const Arguments& arguments, int row, stages::Threshold open) {
    auto& shared = simt::shared<Shared>(block);
    const auto list = wide::list_of(block, arguments);
    const stages::Candidate* together = wide::split_list(arguments, row);
    for (std::uint32_t i = block.rank(); i < open.candidates; i += Block::size) list.entries[i] = together[i];
    block.sync();  // who reads an entry need not be who copied it
    wide::pick_listed<type>(block, shared, {list.entries, arguments.shape.nan, 0, static_cast<int>(open.candidates)},
                            open, picks_of(arguments, shared, row));
  }

  template <class Block>
  TAMIS_DEVICE static void pick_from_row(Block block, const Arguments& arguments, int row, stages::Threshold open) {
    auto& shared = simt::shared<Shared>(block);
    const auto scores = stages::row_of<type>(arguments, wide::window_of(block, arguments, row));
    wide::pick_ordered(block, shared, scores, open, [&] { return picks_of(block.reread(arguments), shared, row); });
  }

  TAMIS_DEVICE static wide::Picks picks_of(const Arguments& arguments, Shared& shared, int row) {
    return wide::Picks::of(arguments.shape, shared.settle.histogram, wide::split_picks(arguments, row));
  }

  template <class Block>
  TAMIS_DEVICE static void deliver(Block block, const Arguments& arguments, int row, wide::Picked picked) {
    wide::deliver<type>(block, row, arguments, wide::split_picks(arguments, row), picked);
  }
};

}  // namespace tamis::kernels
