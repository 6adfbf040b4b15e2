// Level 6: few rows. The blocks of a cluster share a row: each keeps a part of it, histograms are summed through the
// cluster's shared memory, and each block writes what it holds behind what the blocks before it hold.
#pragma once

#include "03_order.hpp"

namespace tamis::levels {

struct Cluster {
  using Arguments = levels::Arguments;

  template <class Block>
  struct Shared {
    InOrder::Shared<Block> order;
    std::uint32_t greater;  // of this block's part
    std::uint32_t equal;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared<Block>>(block);
    each_row(block, arguments, [&](const Row& row) {
      const Row part = part_of(block, row);
      const auto key_at = [&](int position) { return part.key(block, position); };
      const Threshold threshold = settle(block, shared, part.length, row.selected, key_at);
      const Before before = before_part(block, shared, row, part, threshold);
      InOrder::write(block, shared.order, part, threshold, before, key_at);
    });
  }

 private:
  template <class Block>
  TAMIS_DEVICE static int begin_of(Block, const Row& row, int block_rank) {
    return static_cast<int>(std::int64_t{row.length} * block_rank / Block::cluster_size);
  }

  template <class Block>
  TAMIS_DEVICE static Row part_of(Block block, const Row& row) {
    const int begin = begin_of(block, row, block.cluster_rank());
    return {row.scores + begin, begin_of(block, row, block.cluster_rank() + 1) - begin, row.selected, row.indices};
  }

  // As InOrder::settle; every block comes to the same threshold.
  template <class Block, class KeyAt>
  TAMIS_DEVICE static Threshold settle(Block block, Shared<Block>& shared, int length, int selected, KeyAt key_at) {
    Threshold threshold{0, static_cast<std::uint32_t>(selected)};
    for (int shift = 24; shift >= 0; shift -= 8) {
      InOrder::count(block, shared.order, length, threshold, shift, key_at);
      block.cluster_sync();
      threshold = InOrder::narrowed(block, shared.order, threshold, [&](int bin) {
        std::uint32_t sum = 0;
        for (int rank = 0; rank < Block::cluster_size; ++rank)
          sum += block.remote(shared.order.count[bin], rank).load();
        return sum;
      });
      block.cluster_sync();
    }
    return threshold;
  }

  template <class Block>
  TAMIS_DEVICE static Before before_part(Block block, Shared<Block>& shared, const Row& row, const Row& part,
                                         Threshold threshold) {
    std::uint32_t greater = 0;
    std::uint32_t equal = 0;
    for (int position = block.rank(); position < part.length; position += Block::size) {
      const std::uint32_t key = part.key(block, position);
      greater += key > threshold.key;
      equal += key == threshold.key;
    }
    greater = simt::block_reduce_add(block, shared.order.scan, greater);
    equal = simt::block_reduce_add(block, shared.order.scan, equal);
    if (block.rank() == 0) shared.greater = greater, shared.equal = equal;
    block.cluster_sync();
    Before before{begin_of(block, row, block.cluster_rank()), 0, 0};
    for (int rank = 0; rank < block.cluster_rank(); ++rank) {
      before.greater += block.remote(shared.greater, rank).load();
      before.equal += block.remote(shared.equal, rank).load();
    }
    block.cluster_sync();
    return before;
  }
};

}  // namespace tamis::levels
