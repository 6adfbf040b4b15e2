// The pass over a row that everything waits for: what reaches a bound is listed on chip.
#pragma once

#include "kernels/room.hpp"
#include "stages/candidates.hpp"
#include "stages/row.hpp"

namespace tamis::kernels::wide {

// A list of candidates on chip.
struct List {
  stages::Candidate* entries;
  std::uint32_t capacity;
};

// Calls visit(item, score) for every score of the packs that lie inside the window as a whole, and of the two at its
// ends that may not, read score by score. So the loop looks at no score's place.
template <class Block, ScoreType type, class Visit>
TAMIS_DEVICE void for_each_streamed_unsynced(Block block, const stages::Row<type>& row, Visit visit) {
  using Row = stages::Row<type>;
  constexpr int ahead = stages::ahead_of<Block, Row>;
  static_assert(ahead <= 2);
  if (row.begin == row.end) return;
  const int begin = row.begin + (row.inside(row.begin) ? 0 : 1);
  const int end = row.end - (row.inside(row.end - 1) ? 0 : 1);
  const auto visit_whole = [&](int pack, const typename Row::Pack& scores) {
    TAMIS_UNROLL
    for (int i = 0; i < Row::items; ++i) visit(stages::item_of(row, pack, i, scores), std::uint32_t{scores[i]});
  };
  const auto load = [&](int pack) {
    return block.load_once(reinterpret_cast<const typename Row::Pack*>(row.at(pack)));
  };
  int pack = begin + block.rank();
  for (; pack + (ahead - 1) * Block::size < end; pack += ahead * Block::size) {
    typename Row::Pack packs[ahead];
    TAMIS_UNROLL
    for (int a = 0; a < ahead; ++a) packs[a] = load(pack + a * Block::size);
    TAMIS_UNROLL
    for (int a = 0; a < ahead; ++a) visit_whole(pack + a * Block::size, packs[a]);
  }
  if (ahead > 1 && pack < end) visit_whole(pack, load(pack));
  const int edge = block.rank() == 0 ? row.begin : row.end - 1;
  const bool mine = block.rank() == 0 || (block.rank() == 1 && row.end - row.begin > 1);
  if (mine && !row.inside(edge)) stages::visit_pack(row, edge, row.load(block, edge), visit);
}

// Appends what reaches the bound to the list, as far as there is room. Returns how much does.
template <class Block, ScoreType type>
TAMIS_DEVICE std::uint32_t append(Block block, std::uint32_t& counter, const stages::Row<type>& row,
                                  std::uint32_t bound, List list) {
  if (block.rank() == 0) counter = 0;
  block.sync();
  for_each_streamed_unsynced(block, row, [&](stages::Item item, std::uint32_t score) {
    if (item.key < bound) return;
    const std::uint32_t entry = block.fetch_add(counter, 1u);
    if (entry < list.capacity) list.entries[entry] = {score, item.position};
  });
  block.sync();
  const std::uint32_t reached = block.uniform(counter);
  block.sync();  // the counter may be cleared again
  return reached;
}

}  // namespace tamis::kernels::wide
