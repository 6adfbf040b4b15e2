// Level 3: four digits of the key instead of eight of the rank. That leaves ties, which a scan in the order of
// positions settles as it places each position selected: the lowest are taken, and what is written ascends. The row is
// read five times.
#pragma once

#include "row.hpp"
#include "simt/collectives.hpp"

namespace tamis::levels {

struct Threshold {
  std::uint32_t key;        // greater keys are taken
  std::uint32_t remaining;  // and so many of those equal to it
};

// What lies before a part of a row.
struct Before {
  int position;
  std::uint32_t greater;  // positions with a greater key than the threshold's
  std::uint32_t equal;
};

struct InOrder {
  using Arguments = levels::Arguments;

  static constexpr int bins = 256;

  template <class Block>
  struct Shared {
    std::uint32_t count[bins];
    simt::BlockScratch<Block> scan;
    Threshold threshold;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared<Block>>(block);
    each_row(block, arguments, [&](const Row& row) {
      select(block, shared, row, [&](int position) { return row.key(block, position); });
    });
  }

  // Selects from the row, whose keys are key_at(position).
  template <class Block, class KeyAt>
  TAMIS_DEVICE static void select(Block block, Shared<Block>& shared, const Row& row, KeyAt key_at) {
    const Threshold threshold = settle(block, shared, row.length, row.selected, key_at);
    write(block, shared, row, threshold, {0, 0, 0}, key_at);
  }

  template <class Block, class KeyAt>
  TAMIS_DEVICE static Threshold settle(Block block, Shared<Block>& shared, int length, int selected, KeyAt key_at) {
    Threshold threshold{0, static_cast<std::uint32_t>(selected)};
    for (int shift = 24; shift >= 0; shift -= 8) {
      count(block, shared, length, threshold, shift, key_at);
      block.sync();
      threshold = narrowed(block, shared, threshold, [&](int bin) { return shared.count[bin]; });
    }
    return threshold;
  }

  // Counts, by the digit at `shift`, the keys that agree with the threshold before it.
  template <class Block, class KeyAt>
  TAMIS_DEVICE static void count(Block block, Shared<Block>& shared, int length, Threshold threshold, int shift,
                                 KeyAt key_at) {
    for (int bin = block.rank(); bin < bins; bin += Block::size) shared.count[bin] = 0;
    block.sync();
    for (int position = block.rank(); position < length; position += Block::size) {
      const std::uint32_t leading = key_at(position) >> shift;
      if (leading / bins == threshold.key) block.fetch_add(shared.count[leading % bins], 1u);
    }
  }

  // A thread a bin, the greatest first: the one whose bin holds the last score to be taken says so.
  template <class Block, class CountOf>
  TAMIS_DEVICE static Threshold narrowed(Block block, Shared<Block>& shared, Threshold threshold, CountOf count_of) {
    static_assert(Block::size >= bins);
    const int bin = bins - 1 - block.rank();
    const std::uint32_t mine = bin >= 0 ? count_of(bin) : 0;
    const std::uint32_t better = simt::block_scan_add(block, shared.scan, mine).before;
    if (better < threshold.remaining && threshold.remaining <= better + mine)
      shared.threshold = {threshold.key << 8 | static_cast<std::uint32_t>(bin), threshold.remaining - better};
    block.sync();
    return shared.threshold;
  }

  // A tile of the row at a time: greater keys are counted in the upper half of a word, equal ones in the lower.
  template <class Block, class KeyAt>
  TAMIS_DEVICE static void write(Block block, Shared<Block>& shared, const Row& row, Threshold threshold, Before before,
                                 KeyAt key_at) {
    for (int first = 0; first < row.length; first += Block::size) {
      const int position = first + block.rank();
      const std::uint32_t key = position < row.length ? key_at(position) : 0;
      const bool is_greater = position < row.length && key > threshold.key;
      const bool is_equal = position < row.length && key == threshold.key;
      const auto sums = simt::block_scan_add(block, shared.scan, is_greater * 0x10000u + is_equal);
      const std::uint32_t equal_before = before.equal + sums.before % 0x10000;
      const std::uint32_t place = before.greater + sums.before / 0x10000 + std::min(equal_before, threshold.remaining);
      if (is_greater || (is_equal && equal_before < threshold.remaining))
        row.indices[place] = before.position + position;
      before.greater += sums.total / 0x10000;
      before.equal += sums.total % 0x10000;
    }
  }
};

}  // namespace tamis::levels
