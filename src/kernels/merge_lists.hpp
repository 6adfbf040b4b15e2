// The candidate lists of a row to be merged, as a source without order. A pack is an entry of a list.
#pragma once

#include <algorithm>

#include "kernels/arguments.hpp"
#include "stages/key.hpp"
#include "stages/scan.hpp"
#include "stages/source.hpp"
#include "stages/window.hpp"

namespace tamis::kernels {

// The entries of a row's list, clamped to its room. (std::clamp of an argument itself would be a choice between
// addresses in two memories, and cost the kernel a stack.)
template <class Block>
TAMIS_DEVICE int list_length(Block block, const Arguments& arguments, int row, int list) {
  const std::int32_t* counts = arguments.lists.counts;
  const int capacity = arguments.list_capacity;
  if (counts == nullptr) return capacity;
  return std::clamp<int>(block.load(counts + (list * arguments.shape.rows + row)), 0, capacity);
}

template <ScoreType type>
struct MergeLists {
  static constexpr int items = 1;
  using Pack = simt::Pack<stages::Bits<type>, 1>;

  const Arguments* arguments;
  int row;
  int begin;
  int end;

  TAMIS_DEVICE std::int64_t entry(int pack) const {
    const int capacity = arguments->list_capacity;
    return pack / capacity * arguments->lists.list_stride + row * arguments->lists.row_stride + pack % capacity;
  }
  TAMIS_DEVICE int position(int pack, int) const { return arguments->lists.positions[entry(pack)]; }
  TAMIS_DEVICE std::uint32_t key(stages::Bits<type> score) const {
    return stages::key_of<type>(score, arguments->shape.nan);
  }
  TAMIS_DEVICE bool holds(int pack, int) const {
    const int capacity = arguments->list_capacity;
    const std::int32_t* counts = arguments->lists.counts;
    return counts == nullptr || pack % capacity < counts[pack / capacity * arguments->shape.rows + row];
  }

  template <class Block>
  TAMIS_DEVICE Pack load(Block block, int pack) const {
    if (!holds(pack, 0)) return {};
    return block.load(static_cast<const Pack*>(arguments->lists.scores) + entry(pack));
  }
};

template <ScoreType type>
TAMIS_DEVICE MergeLists<type> merge_lists_of(const Arguments& arguments, int row) {
  return {&arguments, row, 0, arguments.list_count * arguments.list_capacity};
}

// A window as long as the row's lists together.
template <class Block>
TAMIS_DEVICE stages::Window merged_window(Block block, stages::ScanScratch& scratch, const Arguments& arguments,
                                          int row) {
  std::uint32_t mine = 0;
  for (int list = block.rank(); list < arguments.list_count; list += Block::size)
    mine += list_length(block, arguments, row, list);
  const auto length = static_cast<int>(stages::scan(block, scratch, mine).total);
  return {row, 0, length, static_cast<int>(std::min<std::int64_t>(arguments.shape.k, length)), false, false};
}

}  // namespace tamis::kernels
