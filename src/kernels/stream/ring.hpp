// Scores on their way: every warp has a few slots of shared memory into which it requests chunks of its rows ahead of
// use, over the end of a row, so that memory is never idle while a row is being finished. A warp refills the slot that
// it has just emptied: no other warp takes part, and no barrier but the one that counts the bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/stream/itinerary.hpp"

namespace tamis::kernels::stream {

// `packs` a chunk, `depth` chunks a warp.
template <class Block, ScoreType type, int packs, int depth>
struct RingStorage {
  alignas(128) typename Body<type>::Pack slot[Block::warps][depth][packs];
  typename Block::TransactionBarrier full[Block::warps][depth];
};

// The calling warp's view of its ring. Its chunks are every `step`-th of each row that streams, row after row.
template <class Block, ScoreType type, int packs, int depth>
class Ring {
 public:
  using Storage = RingStorage<Block, type, packs, depth>;
  using Pack = typename Body<type>::Pack;

  static constexpr int step = Block::warps * Block::cluster_size;
  TAMIS_DEVICE static int first(Block block) { return block.cluster_rank() * Block::warps + block.warp(); }

  TAMIS_DEVICE explicit Ring(Block block) : chunk_(first(block)) {}

  // Leaves the block synchronised on the barriers.
  TAMIS_DEVICE void open(Block block, Storage& storage) {
    if (block.rank() < Block::warps * depth) storage.full[block.rank() / depth][block.rank() % depth].init(1);
    block.sync();
  }

  // Requests what fits, or `most` chunks, up to the end of the row number `last` of this block.
  TAMIS_DEVICE void fill(Block block, Storage& storage, const Itinerary<type>* rows, int last, unsigned most = depth) {
    TAMIS_ROLL
    while (requested_ - taken_ < most) {
      if (chunk_ * packs < rows[row_ % itineraries].body.count) {
        request(block, storage, rows[row_ % itineraries].body);
      } else if (row_ < static_cast<unsigned>(last)) {
        ++row_;
        chunk_ = first(block);
      } else {
        return;
      }
    }
  }

  // The chunk requested longest ago, once it is there.
  TAMIS_DEVICE const Pack* wait(Block block, Storage& storage) const {
    storage.full[block.warp()][taken_ % depth].wait(taken_ / depth % 2);
    return storage.slot[block.warp()][taken_ % depth];
  }

  // Gives that chunk's slot to the next one.
  TAMIS_DEVICE void release(Block block, Storage& storage, const Itinerary<type>* rows, int last) {
    block.sync_warp();
    ++taken_;
    fill(block, storage, rows, last);
  }

 private:
  TAMIS_DEVICE void request(Block block, Storage& storage, const Body<type>& body) {
    const int begin = chunk_ * packs;
    if (block.lane() == 0) {
      const std::uint32_t bytes = std::min(packs, body.count - begin) * sizeof(Pack);
      auto& full = storage.full[block.warp()][requested_ % depth];
      full.expect(bytes);
      block.copy_bulk(storage.slot[block.warp()][requested_ % depth], body.packs + begin, bytes, full);
    }
    chunk_ += step;
    ++requested_;
  }

  static_assert(std::has_single_bit(unsigned{depth}));  // so that the counts may wrap around

  unsigned row_ = 0;             // of the chunk to be requested next, counted from the block's first row
  int chunk_;                    // of that row
  std::uint32_t requested_ = 0;  // chunks
  std::uint32_t taken_ = 0;      // and released
};

}  // namespace tamis::kernels::stream
