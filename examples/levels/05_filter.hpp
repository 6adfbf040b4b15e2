// Level 5: long rows. A sample guesses a bound that a little more than the scores to be selected reach; one pass over
// the row lists those on chip; the selection is made among them. A guess that lets through too few, or more than there
// is room for, is dropped: level 3 then reads the row itself.
#pragma once

#include "02_digits.hpp"
#include "03_order.hpp"

namespace tamis::levels {

struct Filter {
  using Arguments = levels::Arguments;

  template <class Block>
  struct Shared {
    InOrder::Shared<Block> order;
    Digits::Shared digits;
    std::uint32_t listed;
  };

  static constexpr int sampled = 512;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared<Block>>(block);
    auto* list = simt::tail<Shared<Block>, std::uint64_t>(block);
    const auto room = static_cast<std::uint32_t>(arguments.tail_bytes / 8);
    each_row(block, arguments, [&](const Row& row) {
      const std::uint32_t listed = list_above(block, shared, row, guess(block, shared, row), list, room);
      if (listed < static_cast<std::uint32_t>(row.selected) || listed > room)
        InOrder::select(block, shared.order, row, [&](int position) { return row.key(block, position); });
      else
        select_listed(block, shared, row, list, static_cast<int>(listed));
    });
  }

 private:
  // A quarter more than the sample's share of what is selected, and 16: with fewer the guess would often be too high.
  template <class Block>
  TAMIS_DEVICE static std::uint32_t guess(Block block, Shared<Block>& shared, const Row& row) {
    const int stride = row.length / sampled;
    const int rank =
        stride == 0 ? sampled : static_cast<int>(std::int64_t{row.selected} * sampled * 5 / 4 / row.length) + 16;
    if (rank >= sampled) return 0;
    return InOrder::settle(block, shared.order, sampled, rank, [&](int i) { return row.key(block, i * stride); }).key;
  }

  // Lists the ranks of what reaches `bound`, as far as there is room, and counts all of it.
  template <class Block>
  TAMIS_DEVICE static std::uint32_t list_above(Block block, Shared<Block>& shared, const Row& row, std::uint32_t bound,
                                               std::uint64_t* list, std::uint32_t room) {
    if (block.rank() == 0) shared.listed = 0;
    block.sync();
    for (int position = block.rank(); position < row.length; position += Block::size) {
      const std::uint32_t key = row.key(block, position);
      if (key < bound) continue;
      const std::uint32_t entry = block.fetch_add(shared.listed, 1u);
      if (entry < room) list[entry] = rank_of(key, position);
    }
    block.sync();
    return shared.listed;
  }

  template <class Block>
  TAMIS_DEVICE static void select_listed(Block block, Shared<Block>& shared, const Row& row, const std::uint64_t* list,
                                         int listed) {
    const std::uint64_t last =
        Digits::last_rank(block, shared.digits, listed, row.selected, [&](int i) { return list[i]; });
    for (int i = block.rank(); i < listed; i += Block::size) {
      if (list[i] < last) continue;
      row.indices[block.fetch_add(shared.digits.written, 1u)] = static_cast<int>(~static_cast<std::uint32_t>(list[i]));
    }
    block.sync();
  }
};

}  // namespace tamis::levels
