// Level 2: the rank of the last position to be selected is found digit by digit, each digit by a histogram over the
// positions that agree with it so far. Eight digits and one pass that writes: the row is read nine times, whatever it
// holds. Ranks are unique, so ties need no thought.
#pragma once

#include "row.hpp"

namespace tamis::levels {

struct Digits {
  using Arguments = levels::Arguments;

  static constexpr int bins = 256;

  struct Shared {
    std::uint32_t count[bins];
    std::uint32_t bin;
    std::uint32_t remaining;
    std::uint32_t written;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared>(block);
    each_row(block, arguments, [&](const Row& row) {
      const auto rank_at = [&](int position) { return rank_of(row.key(block, position), position); };
      const std::uint64_t last = last_rank(block, shared, row.length, row.selected, rank_at);
      for (int position = block.rank(); position < row.length; position += Block::size)
        if (rank_at(position) >= last) row.indices[block.fetch_add(shared.written, 1u)] = position;
      block.sync();
    });
  }

  // The `selected`-th greatest of rank_at(0) ... rank_at(count - 1), which differ. Leaves `written` at 0.
  template <class Block, class RankAt>
  TAMIS_DEVICE static std::uint64_t last_rank(Block block, Shared& shared, int count, int selected, RankAt rank_at) {
    std::uint64_t prefix = 0;
    auto remaining = static_cast<std::uint32_t>(selected);
    for (int shift = 56; shift >= 0; shift -= 8) {
      for (int bin = block.rank(); bin < bins; bin += Block::size) shared.count[bin] = 0;
      if (block.rank() == 0) shared.written = 0;
      block.sync();
      for (int i = block.rank(); i < count; i += Block::size) {
        const std::uint64_t leading = rank_at(i) >> shift;
        if (leading >> 8 == prefix) block.fetch_add(shared.count[leading % bins], 1u);
      }
      block.sync();
      if (block.rank() == 0) find_bin(shared, remaining);
      block.sync();
      prefix = prefix << 8 | shared.bin;
      remaining = shared.remaining;
    }
    return prefix;
  }

 private:
  // The bin in which the `remaining`-th greatest lies, and how many are still to be taken of it.
  TAMIS_DEVICE static void find_bin(Shared& shared, std::uint32_t remaining) {
    int bin = bins - 1;
    for (; shared.count[bin] < remaining; --bin) remaining -= shared.count[bin];
    shared.bin = bin;
    shared.remaining = remaining;
  }
};

}  // namespace tamis::levels
