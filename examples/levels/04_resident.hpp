// Level 4: the row is read once, into shared memory, and level 3 reads it there. A row that does not fit is read where
// it lies: slower, never wrong.
#pragma once

#include "03_order.hpp"

namespace tamis::levels {

struct Resident {
  using Arguments = levels::Arguments;

  template <class Block>
  using Shared = InOrder::Shared<Block>;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared<Block>>(block);
    auto* keys = simt::tail<Shared<Block>, std::uint32_t>(block);
    each_row(block, arguments, [&](const Row& row) {
      const auto read = [&](int position) { return row.key(block, position); };
      if (row.length > arguments.tail_bytes / 4) return InOrder::select(block, shared, row, read);
      for (int position = block.rank(); position < row.length; position += Block::size) keys[position] = read(position);
      block.sync();
      InOrder::select(block, shared, row, [&](int position) { return keys[position]; });
    });
  }
};

}  // namespace tamis::levels
