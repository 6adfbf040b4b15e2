// From a settled threshold to the output, in whatever order is asked for.
#pragma once

#include "stages/gather.hpp"
#include "stages/sort.hpp"
#include "stages/target.hpp"
#include "stages/ties.hpp"

namespace tamis::stages {

template <class Block, ScoreType type>
TAMIS_DEVICE void put_ranked_list(Block block, Ranked list, const Target<type>& target, int count) {
  for (int i = block.rank(); i < count; i += Block::size) target.put(block, i, list.position(i), list.bits[i]);
  block.sync();  // the next row may be kept where the list was
}

template <class Block, ScoreType type>
TAMIS_DEVICE void put_sorted(Block block, Ranked list, const Target<type>& target, int count) {
  sort(block, list, count);
  put_ranked_list(block, list, target, count);
}

// Calls take(rank, position, score, key) for what is selected of a share of an ordered source, `before` being the tally
// of the shares before it.
template <class Block, class Source, class Take>
TAMIS_DEVICE void take_in_order(Block block, ScanScratch& scratch, const Source& source, Threshold threshold,
                                Tally before, Take take) {
  gather_in_order(block, scratch, source, threshold, before, [&](int rank, int pack, int i) {
    const auto score = source.score(block, pack, i);
    take(rank, Item{source.key(score), source.position(pack, i)}, score);
  });
}

// Writes the selected items of an ordered source that holds all of the row's: at once, or, where they are to be written
// by score, through `list`, which has room for them.
template <class Block, class Source, ScoreType type>
TAMIS_DEVICE void deliver(Block block, ScanScratch& scratch, const Source& source, Threshold threshold,
                          const Target<type>& target, Ranked list, int selected) {
  const bool by_score = target.arguments->shape.order == Order::by_score;
  take_in_order(block, scratch, source, threshold, {0, 0}, [&](int rank, Item item, std::uint32_t score) {
    if (by_score)
      put_ranked(list, rank, rank_of(Order::by_score, item), score);
    else
      target.put(block, rank, item.position, score);
  });
  if (by_score) put_sorted(block, list, target, selected);
}

// The selected items of a source in no order: calls take(rank, item, score), ranks as they come. No more than
// `selected` are taken, whatever a caller's list of candidates repeats. `taken` is a counter in shared memory.
template <class Block, class Source, class Take>
TAMIS_DEVICE void take_in_any_order(Block block, std::uint32_t& taken, const Source& source, const Chosen& chosen,
                                    int selected, Take take) {
  if (block.rank() == 0) taken = 0;
  block.sync();
  for_each_unsynced(block, source, [&](Item item, std::uint32_t score) {
    if (!chosen.takes(item)) return;
    const auto rank = static_cast<int>(block.fetch_add(taken, 1u));
    if (rank < selected) take(rank, item, score);
  });
  block.sync();  // the counter may be cleared again
}

// Writes the selected items of a source in no order: as they come where `order` is any, otherwise through `list`.
template <class Block, class Source, ScoreType type>
TAMIS_DEVICE void deliver_unordered(Block block, std::uint32_t& taken, const Source& source, const Chosen& chosen,
                                    const Target<type>& target, Ranked list, Order order, int selected) {
  take_in_any_order(block, taken, source, chosen, selected, [&](int rank, Item item, std::uint32_t score) {
    if (order == Order::any)
      target.put(block, rank, item.position, score);
    else
      put_ranked(list, rank, rank_of(order, item), score);
  });
  if (order != Order::any) put_sorted(block, list, target, selected);
}

}  // namespace tamis::stages
