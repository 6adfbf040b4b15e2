// From a settled threshold over an ordered source to the output, in whatever order is asked for.
#pragma once

#include "stages/gather.hpp"
#include "stages/sort.hpp"
#include "stages/target.hpp"

namespace tamis::stages {

template <class Block, ScoreType type>
TAMIS_DEVICE void put_ranked_list(Block block, Ranked list, const Target<type>& target, int count) {
  for (int i = block.rank(); i < count; i += Block::size) target.put(block, i, list.position(i), list.bits[i]);
  block.sync();
}

// Writes the selected items of a source that holds all of the row's, in ascending position: at once, or, where they are
// to be written by score, through `list`, which has room for them.
template <class Block, class Source, ScoreType type>
TAMIS_DEVICE void deliver(Block block, ScanScratch& scratch, const Source& source, Threshold threshold,
                          const Target<type>& target, Ranked list, int selected) {
  const bool by_score = target.arguments->shape.order == Order::by_score;
  gather_in_order(block, scratch, source, threshold, {0, 0}, [&](int rank, int pack, int i) {
    const int position = source.position(pack, i);
    const auto score = source.score(block, pack, i);
    if (by_score)
      put_ranked(list, rank, rank_of(Order::by_score, {source.key(score), position}), score);
    else
      target.put(block, rank, position, score);
  });
  if (!by_score) return;
  sort(block, list, selected);
  put_ranked_list(block, list, target, selected);
}

}  // namespace tamis::stages
