// A long row over many blocks of the grid, for devices without clusters and for rows too long for one. Two launches and
// no block waits for another: the parts of a row each list what of theirs may be selected, then a block a row
// selects among the lists. (A counter of arrivals would save the second launch, but the workspace holds anything on
// entry, so something would have to clear it first.)
#pragma once

#include "kernels/part_lists.hpp"
#include "kernels/rows.hpp"
#include "stages/deliver.hpp"
#include "stages/sample.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct SplitRow {
  using Arguments = kernels::Arguments;
  using Row = stages::Row<type>;

  struct Shared {
    stages::SettleScratch settle;
  };

  static constexpr int sample_packs = 1024;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    const std::int64_t parts = arguments.parts;
    block.allow_next_kernel();
    block.wait_for_previous_kernel();
    for (std::int64_t part = block.grid_rank(); part < arguments.shape.rows * parts; part += block.grid_size())
      list_part(block, arguments, static_cast<int>(part / parts), static_cast<int>(part % parts));
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void list_part(Block block, const Arguments& arguments, int row, int part) {
    const stages::Window window = stages::find_window(block, arguments, row);
    if (stores_only(arguments, window)) return;
    auto& scratch = simt::shared<Shared>(block).settle;
    const Row scores = stages::row_of<type>(arguments, window);
    const Row share = stages::share_of(scores, part, arguments.parts);
    const auto bound = stages::guess_bound(block, scratch, scores, window.selected, sample_packs);
    const stages::Threshold open = best_of_part(block, scratch, share, bound, window);
    const stages::Threshold threshold = stages::settle(block, scratch, share, open);
    auto* list = part_list(arguments, row, part);
    stages::gather_in_order(block, scratch.narrow.scan, share, threshold, {0, 0}, [&](int rank, int pack, int i) {
      list[rank] = {share.score(block, pack, i), share.position(pack, i)};
    });
    if (block.rank() == 0) *part_count(arguments, row, part) = open.remaining;
  }

  // The part's share of what reaches the bound, or the row's n best where there are more of those.
  template <class Block>
  TAMIS_DEVICE static stages::Threshold best_of_part(Block block, stages::SettleScratch& scratch, const Row& share,
                                                     std::uint32_t bound, stages::Window window) {
    const stages::Threshold reaching{bound, stages::greatest_key<type>, 0, 0};
    const std::uint32_t reached = stages::tally(block, scratch.narrow.scan, share, reaching).candidates;
    const auto selected = static_cast<std::uint32_t>(window.selected);
    return {bound, stages::greatest_key<type>, reached < selected ? reached : selected, reached};
  }
};

// The second launch.
template <ScoreType type>
struct SplitFinish {
  using Arguments = kernels::Arguments;
  using Row = stages::Row<type>;
  using Target = stages::Target<type>;

  struct Shared {
    stages::SettleScratch settle;
    std::uint32_t first[most_parts];  // where each part's items go in the list of all
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    select_rows<type>(block, arguments, [&](stages::Window window, const Target& target, const Row& scores) {
      select_row(block, arguments, window, target, scores);
    });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void select_row(Block block, const Arguments& arguments, stages::Window window,
                                      const Target& target, const Row& scores) {
    auto& shared = simt::shared<Shared>(block);
    const std::uint32_t total = place_parts(block, shared, arguments, window.row);
    Tail tail = tail_of<Shared>(block, arguments);
    if (total < static_cast<std::uint32_t>(window.selected)) {
      select_from(block, window, target, scores, tail, window.length);
    } else if (auto* list = tail.take<stages::Candidate>(total)) {
      copy_parts(block, shared, arguments, window.row, list);
      const stages::Candidates<type> source{list, arguments.shape.nan, 0, static_cast<int>(total)};
      select_from(block, window, target, source, tail, source.end);
    } else {
      select_from(block, window, target, part_lists_of<type>(arguments, window.row), tail, static_cast<int>(total));
    }
  }

  template <class Block, class Source>
  TAMIS_DEVICE static void select_from(Block block, stages::Window window, const Target& target, const Source& source,
                                       Tail tail, int candidates) {
    auto& scratch = simt::shared<Shared>(block).settle;
    const auto open = stages::open_threshold(stages::greatest_key<type>, candidates, window.selected);
    const auto threshold = stages::settle(block, scratch, source, open);
    const auto room = sort_room(*target.arguments, tail, block.grid_rank(), window.selected);
    stages::deliver(block, scratch.narrow.scan, source, threshold, target, room, window.selected);
  }

  // Returns how many items the parts have listed.
  template <class Block>
  TAMIS_DEVICE static std::uint32_t place_parts(Block block, Shared& shared, const Arguments& arguments, int row) {
    std::uint32_t total = 0;
    for (int base = 0; base < arguments.parts; base += Block::size) {
      const int part = base + block.rank();
      const std::uint32_t count = part < arguments.parts ? *part_count(arguments, row, part) : 0;
      const stages::Scan sums = stages::scan(block, shared.settle.narrow.scan, count);
      if (part < arguments.parts) shared.first[part] = total + sums.before;
      total += sums.total;
    }
    block.sync();
    return total;
  }

  // A warp a part, so that the list of all is in ascending position as the lists of the parts are.
  template <class Block>
  TAMIS_DEVICE static void copy_parts(Block block, const Shared& shared, const Arguments& arguments, int row,
                                      stages::Candidate* list) {
    for (int part = block.warp(); part < arguments.parts; part += Block::warps) {
      const stages::Candidate* from = part_list(arguments, row, part);
      const auto count = static_cast<int>(*part_count(arguments, row, part));
      for (int i = block.lane(); i < count; i += Block::lanes) list[shared.first[part] + i] = from[i];
    }
    block.sync();
  }
};

}  // namespace tamis::kernels
