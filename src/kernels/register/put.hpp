// From what is known of a short row's scores to the output: each block writes what it has of the taken ones behind
// those of the blocks before; the undecided are sent to the first block, which ranks them and writes the best of them.
#pragma once

#include "kernels/register/calls.hpp"
#include "kernels/register/drop.hpp"
#include "kernels/register/shared.hpp"

namespace tamis::kernels::short_row {

template <class Block, class Shared, class Held, class Call>
struct Putting {
  using Slots = typename Call::Slots;

  static constexpr int blocks = Block::cluster_size;

  Block block;
  Shared& shared;
  const Call& call;
  const Held& held;
  stages::Window window;
  Slots slots;
  int share;  // first position of the block's part of the row

  TAMIS_DEVICE void put(const Standing& standing) {
    const auto [cut, marks, needed, equal] = standing;
    const auto taken = static_cast<std::uint32_t>(std::popcount(marks.taken));
    const std::uint32_t mine = taken | static_cast<std::uint32_t>(std::popcount(marks.undecided)) << 16;
    const std::uint32_t through = block.scan_add(mine);
    const std::uint32_t before = stages::before_warp(block, shared.of_warp, through) + through - mine;
    if constexpr (blocks > 1) {
      if (block.rank() == 0 && block.cluster_rank() == 0 && cut.inside != 0)
        shared.listed.expect(cut.inside * sizeof(Undecided));
    }
    list_undecided(marks.undecided, static_cast<int>(cut.inside_before + (before >> 16)));
    put_taken(marks.taken, static_cast<int>(cut.above_before + (before & 0xffffu)));
    if (block.cluster_rank() != 0) return;
    call.put_rest(block, slots, window);
    if (cut.inside != 0) put_undecided(cut.inside, needed);
  }

  // Of a row of one number: the first positions, an equal part by each block.
  TAMIS_DEVICE void put_first() {
    if (block.cluster_rank() == 0) call.put_rest(block, slots, window);
    TAMIS_ROLL
    for (int i = block.cluster_rank() * Block::size + block.rank(); i < window.selected; i += blocks * Block::size) {
      const std::int32_t page = Call::paged(slots) ? call.page(block, slots, i >> slots.shift) : -1;
      put_one(i, i, page < 0 ? -1 : slots.slot(page, i));
    }
  }

  // Of a block that holds the row alone: in ascending order, four neighbouring entries a thread.
  TAMIS_DEVICE void put_all_but(const Dropped& dropped) {
    call.put_rest(block, slots, window);
    const int first = 4 * block.rank();
    if (first >= window.selected) return;
    simt::Pack<std::int32_t, 4> four;
    bool good = first + 4 <= window.selected && reinterpret_cast<std::uintptr_t>(slots.slots) % sizeof four == 0;
    TAMIS_UNROLL
    for (int i = 0; i < 4; ++i) {
      four[i] = first + i < window.selected ? slot_of(dropped.staying(first + i)) : -1;
      good = good && four[i] >= 0;
    }
    if (good) {
      *reinterpret_cast<simt::Pack<std::int32_t, 4>*>(slots.slots + first) = four;
      return;
    }
    for (int i = 0; i < 4 && first + i < window.selected; ++i) put_one(first + i, dropped.staying(first + i), four[i]);
  }

 private:
  TAMIS_DEVICE std::int32_t slot_of(int position) const {
    if (!Call::paged(slots)) return -1;
    const std::int32_t page = shared.pages[(position >> slots.shift) - (share >> slots.shift)];
    return page < 0 ? -1 : slots.slot(page, position);
  }

  TAMIS_DEVICE void list_undecided(std::uint32_t marks, int at) {
    TAMIS_ROLL
    for (; marks != 0; ++at) {
      const std::uint32_t one = std::uint32_t{1} << (std::bit_width(marks) - 1);
      const float score = held.score_of(one);
      const int position = held.position(Held::size - static_cast<int>(std::bit_width(marks)));
      const std::uint64_t rank = std::uint64_t{key(score)} << 32 | ~static_cast<std::uint32_t>(position);
      const Undecided item{rank, slot_of(position), 0};
      marks ^= one;
      if constexpr (blocks == 1)
        shared.undecided[at] = item;
      else
        block.send(block.remote(shared.undecided[at], 0), item, shared.listed, 0);
    }
  }

  TAMIS_DEVICE void put_one(int at, int position, std::int32_t slot) {
    if (slot >= 0)
      slots.slots[at] = slot;
    else
      calls::put_anyhow(block, call.arguments, window, at, position);
  }

  // Those of four neighbours, which lie in one page, from entry `at` on; returns the marks of what is left to
  // put_anyhow.
  TAMIS_DEVICE std::uint32_t put_four(std::uint32_t marks, int r, int at) {
    const std::int32_t slot = slot_of(held.position(4 * r));
    if (slot < 0) [[unlikely]]
      return marks;
    std::int32_t* entry = slots.slots + at;
    TAMIS_UNROLL
    for (int i = 0; i < 4; ++i) {
      if (marks & Held::mark(4 * r + i)) *entry++ = slot + i;
    }
    return 0;
  }

  // Where a thread has few scores, with all of its stores under way at once; returns the marks of what is left.
  TAMIS_DEVICE std::uint32_t put_by_fours(std::uint32_t marks, int at) {
    constexpr std::uint32_t of_four = Held::mark(0) | Held::mark(1) | Held::mark(2) | Held::mark(3);
    std::uint32_t rest = 0;
    TAMIS_UNROLL
    for (int r = 0; r < Held::fours; ++r) {
      const std::uint32_t own = marks & of_four >> 4 * r;
      if (own != 0) rest |= put_four(own, r, at);
      at += std::popcount(own);
    }
    return rest;
  }

  // A turn a mark, of which many scores a thread have few: each turn costs every warp of the block its instructions.
  TAMIS_DEVICE void put_taken(std::uint32_t marks, int first) {
    constexpr bool by_fours = Held::in_registers && Held::size <= 8;
    std::uint32_t rest = by_fours && Call::paged(slots) ? put_by_fours(marks, first) : marks;
    TAMIS_ROLL
    for (int done = 0; rest != 0; ++done) {
      const int bit = static_cast<int>(std::bit_width(rest)) - 1;
      rest ^= std::uint32_t{1} << bit;
      const int position = held.position(Held::size - 1 - bit);
      const int before = by_fours ? std::popcount(marks >> bit) - 1 : done;
      put_one(first + before, position, slot_of(position));
    }
  }

  // Groups of threads rank one of the undecided each among all; the best `needed` come last in the output.
  TAMIS_DEVICE void put_undecided(std::uint32_t inside, std::uint32_t needed) {
    if constexpr (blocks == 1)
      block.sync();
    else
      shared.listed.wait(0);
    if (inside * rankers <= Block::size)
      put_ranked<rankers>(inside, needed);
    else
      put_ranked<1>(inside, needed);
  }

  static constexpr unsigned rankers = 4;

  template <unsigned group>
  TAMIS_DEVICE void put_ranked(std::uint32_t inside, std::uint32_t needed) {
    const auto mine = static_cast<std::uint32_t>(block.rank()) / group;
    if (block.warp() * Block::lanes / group >= inside) return;
    const Undecided item = shared.undecided[std::min(mine, inside - 1)];
    std::uint32_t better = better_than(item.rank, block.rank() % group, group, inside);
    if constexpr (group == 4) {
      better += block.shuffle_xor(better, 1);
      better += block.shuffle_xor(better, 2);
    }
    if (mine >= inside || block.rank() % group != 0 || better >= needed) return;
    const int position = static_cast<int>(~static_cast<std::uint32_t>(item.rank));
    put_one(window.selected - static_cast<int>(needed - better), position, item.slot);
  }

  // Of the list's items `first`, first + step ... those that are better; behind the list lie items worse than any.
  TAMIS_DEVICE std::uint32_t better_than(std::uint64_t rank, unsigned first, unsigned step,
                                         std::uint32_t inside) const {
    std::uint32_t better = 0;
    TAMIS_ROLL
    for (unsigned i = first; i < inside; i += 8 * step) {
      TAMIS_UNROLL
      for (unsigned ahead = 0; ahead < 8; ++ahead) better += shared.undecided[i + ahead * step].rank > rank ? 1 : 0;
    }
    return better;
  }
};

}  // namespace tamis::kernels::short_row
