// What becomes of the rows that the quick way leaves: those whose output is not the usual one, whose k-th score is tied
// too often, or that the sample misled. Their survivors decide where there are enough of them, if need be after another
// read; what then remains, rows of too few numbers or too many selected, goes the plain way. Right on every input.
#pragma once

#include <cstdint>

#include "kernels/stream/contest.hpp"
#include "kernels/stream/pick.hpp"
#include "kernels/stream/relist.hpp"
#include "kernels/stream/ties.hpp"
#include "stages/deliver.hpp"

namespace tamis::kernels::stream {

// Puts the survivors of a rank no lower than `last`, of a row whose output is not the usual one.
template <class Block, ScoreType type, int capacity>
TAMIS_DEVICE void put_generally(Block block, const Arguments& arguments, PickScratch<type, capacity>& scratch,
                                const Itinerary<type>& row, std::uint64_t last) {
  const stages::Target<type> target = row.target(arguments);
  const int count = static_cast<int>(scratch.survivors.count);
  TAMIS_ROLL
  for (int first = 0; first < count; first += Block::size) {
    const int entry = first + block.rank();
    const Survivor<type> survivor = entry < count ? scratch.survivors.list[entry] : Survivor<type>{};
    const bool takes = entry < count && survivor.rank() >= last;
    const auto taken = block.ballot(takes);
    const auto base = static_cast<int>(claim(block, scratch, std::popcount(taken)));
    if (takes) target.put(block, base + block.rank_in(taken), survivor.position, survivor.bits);
  }
}

// Nothing is written yet. Leaves the cluster synchronised on it.
template <class Block, class Scratch>
TAMIS_DEVICE void start_writing(Block block, Scratch& scratch) {
  if (block.rank() == 0) scratch.written = 0;
  block.cluster_sync();
}

// The same, of any row: the quick way where no page turns out to be bad.
template <class Block, ScoreType type, int capacity>
TAMIS_DEVICE void put_from(Block block, const Arguments& arguments, PickScratch<type, capacity>& scratch,
                           const Itinerary<type>& row, std::uint64_t last) {
  const Putter<type> putter(arguments, row);
  if (putter.quick()) {
    Picker<Block, type, capacity> picker(block, scratch);
    picker.put_where(putter, picker.load(putter, block.rank()), RankJudge<type>{last});
    block.cluster_sync();
    if (shared_count(block, scratch.counts.bad) == 0) return;
    start_writing(block, scratch);
  }
  put_generally(block, arguments, scratch, row, last);
}

// Writes the selected items where the survivors decide that reach `low`, or all that do are taken and the others come
// from the plateau of the key below. False where they do not. Leaves the cluster synchronised.
template <class Block, ScoreType type, int capacity>
TAMIS_DEVICE bool select_listed(Block block, const Arguments& arguments, PickScratch<type, capacity>& scratch,
                                stages::SettleScratch& settle, const Itinerary<type>& row, std::uint32_t low,
                                bool plateau) {
  const auto selected = static_cast<std::uint32_t>(row.window.selected);
  const std::uint32_t total = sum_in_cluster(block, scratch.survivors.count);
  if (total < selected && !plateau) return false;
  start_writing(block, scratch);
  std::uint64_t last = 0;
  bool complete = true;
  if (total >= selected) {
    last = contest<Among::cluster>(block, settle, scratch.survivors, scratch.survivors.count,
                                   {low, stages::greatest_key<type>, selected, total});
  } else if (block.cluster_rank() == 0) {
    complete =
        list_ties(block, arguments, settle.narrow.scan, scratch.survivors, row.window, low - 1, selected - total);
  }
  put_from(block, arguments, scratch, row, last);
  block.cluster_sync();
  return complete;
}

// The same for a row whose bound was too high: with a lower one, and then with none.
template <class Block, ScoreType type, int capacity>
TAMIS_DEVICE bool select_relisted(Block block, const Arguments& arguments, PickScratch<type, capacity>& scratch,
                                  stages::SettleScratch& settle, const Itinerary<type>& row, std::uint32_t low) {
  TAMIS_ROLL
  for (;; low = 0) {
    relist(block, arguments, settle, scratch.survivors, row, low);
    if (select_listed(block, arguments, scratch, settle, row, low, false)) return true;
    if (low == 0) return false;
  }
}

// By one block: reads the row as often as it takes.
template <class Block, ScoreType type>
TAMIS_DEVICE void select_plainly(Block block, const Arguments& arguments, stages::SettleScratch& settle,
                                 const Itinerary<type>& itinerary) {
  const stages::Window window = itinerary.window;
  const stages::Row<type> row = stages::row_of<type>(arguments, window);
  const stages::Target<type> target = itinerary.target(arguments);
  if (window.whole()) return stages::put_whole_row(block, row.window, target, window);
  const stages::Threshold open = stages::open_threshold(stages::greatest_key<type>, window.length, window.selected);
  const stages::Threshold threshold = stages::settle(block, settle, row, open);
  stages::deliver(block, settle.narrow.scan, row, threshold, target, stages::Ranked{}, window.selected);
}

}  // namespace tamis::kernels::stream
