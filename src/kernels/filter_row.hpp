// A block a row, for rows too long to keep: a bound guessed from a sample, one pass that appends the scores that reach
// it to a list on chip, and the exact selection among those. Where the guess was too low or too high the row is read
// again, narrowed from what the pass has counted: a bad guess costs reads, never the answer.
#pragma once

#include "kernels/room.hpp"
#include "kernels/rows.hpp"
#include "stages/candidates.hpp"
#include "stages/deliver.hpp"
#include "stages/sample.hpp"

namespace tamis::kernels {

template <ScoreType type>
struct FilterRow {
  using Arguments = kernels::Arguments;
  using Row = stages::Row<type>;
  using Target = stages::Target<type>;

  struct Shared {
    stages::SettleScratch settle;
    std::uint32_t counter;
  };

  // Packs of a sample: 4096 scores of f32, which place the bound within 12 % of 2048 of 131072.
  static constexpr int sample_packs = 1024;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    select_rows<type>(block, arguments, [&](stages::Window window, const Target& target, const Row& scores) {
      select_from(block, window, target, scores);
    });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void select_from(Block block, stages::Window window, const Target& target, const Row& row) {
    auto& shared = simt::shared<Shared>(block);
    Tail tail = tail_of<Shared>(block, *target.arguments);
    const stages::Ranked sorting = sorting_room(block, tail, target, window);
    const auto capacity = static_cast<std::uint32_t>(tail.bytes / sizeof(stages::Candidate));
    auto* list = tail.take<stages::Candidate>(capacity);
    const auto bound = stages::guess_bound(block, shared.settle, row, window.selected, sample_packs);
    const std::uint32_t reached = append(block, shared.counter, row, bound, list, capacity);
    const auto threshold = known(bound, reached, window);
    if (reached <= capacity && threshold.low == bound) {
      const stages::Candidates<type> source{list, row.nan, 0, static_cast<int>(reached)};
      const auto chosen = stages::choose(block, shared.settle, source, threshold);
      stages::deliver_unordered(block, shared.counter, source, chosen, target, sorting, target.arguments->shape.order,
                                window.selected);
    } else {
      const auto settled = stages::settle(block, shared.settle, row, threshold);
      stages::deliver(block, shared.settle.narrow.scan, row, settled, target, sorting, window.selected);
    }
  }

  // Room to sort in, first, so that the list has what is left of the tail; it must keep some.
  template <class Block>
  TAMIS_DEVICE static stages::Ranked sorting_room(Block block, Tail& tail, const Target& target,
                                                  stages::Window window) {
    if (target.arguments->shape.order == Order::any) return {nullptr, nullptr};
    Tail rest = tail;
    auto* room = rest.take<std::byte>(static_cast<std::int64_t>(window.selected) * stages::ranked_bytes);
    if (room == nullptr || rest.bytes < window.selected * 12LL)
      return workspace_sort_room(*target.arguments, block.grid_rank());
    tail = rest;
    return stages::ranked_at(room, window.selected);
  }

  // Appends what reaches the bound to the list, as far as there is room, and counts all of it.
  template <class Block>
  TAMIS_DEVICE static std::uint32_t append(Block block, std::uint32_t& counter, const Row& row, std::uint32_t bound,
                                           stages::Candidate* list, std::uint32_t capacity) {
    if (block.rank() == 0) counter = 0;
    block.sync();
    stages::for_each_unsynced(block, row, [&](stages::Item item, std::uint32_t score) {
      if (item.key < bound) return;
      const std::uint32_t entry = block.fetch_add(counter, 1u);
      if (entry < capacity) list[entry] = {score, item.position};
    });
    block.sync();
    const std::uint32_t reached = counter;
    block.sync();
    return reached;
  }

  // What the pass has shown of the threshold: on which side of the bound it lies.
  TAMIS_DEVICE static stages::Threshold known(std::uint32_t bound, std::uint32_t reached, stages::Window window) {
    const auto selected = static_cast<std::uint32_t>(window.selected);
    if (reached >= selected) return {bound, stages::greatest_key<type>, selected, reached};
    return {0, bound - 1, selected - reached, static_cast<std::uint32_t>(window.length) - reached};
  }
};

}  // namespace tamis::kernels
