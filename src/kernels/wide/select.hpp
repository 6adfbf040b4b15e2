// What the wide methods share: picking a row's positions from a source or from a list on chip, then writing them, in
// one place whichever way they were found. Arguments are read again at each step and the window is found again: what a
// step does not need then holds no register while it runs.
#pragma once

#include "kernels/rows.hpp"
#include "kernels/wide/append.hpp"
#include "kernels/wide/ranks.hpp"
#include "stages/gather.hpp"
#include "stages/target.hpp"
#include "stages/ties.hpp"

namespace tamis::kernels::wide {

// Shared memory of a wide kernel. Behind it, in the tail, lies a list of candidates or the row itself.
struct Shared {
  stages::SettleScratch settle;
  std::uint32_t counter;
  std::uint32_t place;  // of a block's candidates in its row's list
  std::uint32_t total;  // candidates of a row that many blocks list
};

// A row's positions are in ascending order, or in none.
enum class Picked { ascending, unordered };

template <class Block>
TAMIS_DEVICE stages::Window window_of(Block block, const Arguments& arguments, int row) {
  return block.uniform(stages::find_window(block, arguments, row));
}

// The tail as a list of candidates.
template <class Block>
TAMIS_DEVICE List list_of(Block block, const Arguments& arguments) {
  const Tail tail = tail_of<Shared>(block, arguments);
  return {reinterpret_cast<stages::Candidate*>(tail.next),
          static_cast<std::uint32_t>(tail.bytes / sizeof(stages::Candidate))};
}

// What a pass has shown of the threshold in which `reached` scores reached the bound.
template <ScoreType type>
TAMIS_DEVICE stages::Threshold known(std::uint32_t bound, std::uint32_t reached, stages::Window window) {
  const auto selected = static_cast<std::uint32_t>(window.selected);
  if (reached >= selected) return {bound, stages::greatest_key<type>, selected, reached};
  return {0, bound - 1, selected - reached, static_cast<std::uint32_t>(window.length) - reached};
}

// Picks from an ordered source that holds all of the row. Where to is asked once the threshold is settled.
template <class Block, class Source, class PicksOf>
TAMIS_DEVICE void pick_ordered(Block block, Shared& shared, const Source& source, stages::Threshold open,
                               PicksOf picks_of) {
  const auto threshold = stages::settle(block, shared.settle, source, open);
  const Picks picks = picks_of();
  stages::gather_in_order(block, shared.settle.narrow.scan, source, threshold, {0, 0},
                          [&](int rank, int pack, int i) { picks.put(rank, source.position(pack, i)); });
}

// Picks from a list that holds everything from the threshold's low end on.
template <ScoreType type, class Block>
TAMIS_DEVICE void pick_listed(Block block, Shared& shared, const stages::Candidates<type>& source,
                              stages::Threshold open, const Picks& picks) {
  const int selected = static_cast<int>(open.remaining);
  const stages::Chosen chosen = stages::choose(block, shared.settle, source, open);
  if (block.rank() == 0) shared.counter = 0;
  block.sync();
  stages::for_each_unsynced(block, source, [&](stages::Item item, std::uint32_t) {
    if (!chosen.takes(item)) return;
    const auto rank = static_cast<int>(block.fetch_add(shared.counter, 1u));
    if (rank < selected) picks.put(rank, item.position);
  });
  block.sync();
}

// Writes what was picked of the row, or all of it where no score decides, in the order asked for.
template <ScoreType type, class Block>
TAMIS_DEVICE void write_picks(Block block, const Arguments& arguments, int row, std::byte* room, bool sorted) {
  const stages::Window window = window_of(block, arguments, row);
  const auto target = stages::target_of<type>(block, arguments, window);
  target.put_rest(block, window);
  const auto picks = Picks::of(arguments.shape, simt::shared<Shared>(block).settle.histogram, room);
  const auto ranks = Ranks::of(tail_of<Shared>(block, arguments), room, window.selected);
  const bool whole = stores_only(arguments, window);
  const auto* scores = stages::row_of<type>(arguments, window).window;
  for (int i = block.rank(); i < window.selected; i += Block::size) {
    const int position = whole ? i : sorted ? ranks.position(i) : picks.position(i);
    target.put(block, i, position, arguments.output.scores != nullptr ? block.load(scores + position) : 0);
  }
}

// The last step of a row's journey. `room` is the row's in the workspace.
template <ScoreType type, class Block>
TAMIS_DEVICE void deliver(Block block, int row, const Arguments& arguments, std::byte* room, Picked picked) {
  const Order order = arguments.shape.order;
  const bool sorts = order == Order::by_score || (order == Order::by_index && picked == Picked::unordered);
  if (sorts) {
    const stages::Window window = window_of(block, arguments, row);
    sort_picks(block, Ranks::of(tail_of<Shared>(block, arguments), room, window.selected),
               Picks::of(arguments.shape, simt::shared<Shared>(block).settle.histogram, room),
               stages::row_of<type>(arguments, window), order, window.selected);
  }
  write_picks<type>(block, block.reread(arguments), row, room, sorts);
}

}  // namespace tamis::kernels::wide
