// Cases of waiting, shared memory, atomics and loads.
#pragma once

#include "words.hpp"

namespace tamis::words {

// Every thread reads what another warp wrote, over and over: each sync() is needed.
struct Sync {
  static constexpr const char* name = "sync";
  static constexpr int outputs = 1;

  struct Shared {
    std::uint32_t cell[1024];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    auto& shared = simt::shared<Shared>(block);
    std::uint32_t value = own_number(block);
    for (int i = 0; i < 3; ++i) {
      shared.cell[block.rank()] = value;
      block.sync();
      value = shared.cell[(block.rank() + Block::lanes + 1) % Block::size] + i;
      block.sync();
    }
    out[0] = value;
  }
  static std::uint32_t expected(const Who& who, int) {
    return who.with_rank((who.rank + 3 * (who.lanes + 1)) % who.size).own() + 3;
  }
};

struct SyncVotes {
  static constexpr const char* name = "sync_any_all_count";
  static constexpr int outputs = 5;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    out[0] = block.sync_any(block.rank() == Block::size - 1);
    out[1] = block.sync_any(false);
    out[2] = block.sync_all(block.rank() != 0);
    out[3] = block.sync_all(true);
    out[4] = static_cast<std::uint32_t>(block.sync_count(block.rank() % 5 == 0));
  }
  static std::uint32_t expected(const Who& who, int i) {
    const std::uint32_t said[] = {1, 0, 0, 1, static_cast<std::uint32_t>((who.size + 4) / 5)};
    return said[i];
  }
};

struct SyncWarp {
  static constexpr const char* name = "sync_warp";
  static constexpr int outputs = 1;

  struct Shared {
    std::uint32_t cell[1024];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    auto& shared = simt::shared<Shared>(block);
    shared.cell[block.rank()] = own_number(block);
    block.sync_warp();
    out[0] = shared.cell[block.rank() ^ 7];
  }
  static std::uint32_t expected(const Who& who, int) { return who.with_rank(who.rank ^ 7).own(); }
};

// Producer warps arrive without waiting, consumer warps wait: the first half feeds the second.
struct Groups {
  static constexpr const char* name = "sync_group";
  static constexpr int outputs = 1;

  struct Shared {
    std::uint32_t cell[1024];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    if constexpr (Block::has_groups) {
      auto& shared = simt::shared<Shared>(block);
      out[0] = own_number(block);
      if (block.rank() < Block::size / 2) {
        shared.cell[block.rank()] = own_number(block);
        block.arrive_group(1, Block::size);
      } else {
        block.sync_group(1, Block::size);
        out[0] = shared.cell[block.rank() - Block::size / 2];
      }
    }
  }
  static std::uint32_t expected(const Who& who, int) {
    if (who.lanes == 64) return 0;
    return who.with_rank(who.rank % (who.size / 2)).own();
  }
};

struct Atomics {
  static constexpr const char* name = "shared_atomics";
  static constexpr int outputs = 8;

  struct Shared {
    std::uint32_t sum, most, bits, last;
    std::uint32_t ones[2];
    std::int32_t fewest;
    std::uint64_t wide;
    std::uint32_t ticket[1024];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    auto& shared = simt::shared<Shared>(block);
    if (block.rank() == 0) {
      shared.sum = shared.most = shared.bits = shared.last = 0;
      shared.fewest = 0;
      shared.ones[0] = shared.ones[1] = 0;
      shared.wide = 0;
    }
    shared.ticket[block.rank()] = 0;
    block.sync();
    const std::uint32_t mine = own_number(block);
    block.fetch_add(shared.ticket[block.fetch_add(shared.sum, 1u)], 1u);
    block.fetch_max(shared.most, mine);
    block.fetch_or(shared.bits, 1u << block.rank() % 32);
    block.fetch_min(shared.fewest, static_cast<std::int32_t>(mine));
    block.fetch_add(shared.wide, std::uint64_t{mine} << 12);
    block.exchange(shared.last, mine | 1);
    block.add_one(shared.ones, block.rank() % 4 == 0 ? 1 : 0);
    block.sync();
    out[0] = shared.sum * 2 + shared.ticket[block.rank()];
    out[1] = shared.most;
    out[2] = shared.bits;
    out[3] = static_cast<std::uint32_t>(shared.fewest);
    out[4] = static_cast<std::uint32_t>(shared.wide >> 12);
    out[5] = shared.last & 1;
    out[6] = shared.ones[0];
    out[7] = shared.ones[1];
  }
  static std::uint32_t expected(const Who& who, int i) {
    const auto flip = [](const Who& other) { return other.own() ^ 0x80000000u; };
    switch (i) {
      case 0:
        return static_cast<std::uint32_t>(who.size * 2 + 1);
      case 1:
        return who.over_threads(who.size, own, greatest);
      case 2:
        return ~0u;
      case 3:
        return least(who.over_threads(who.size, flip, least), 0x80000000u) ^ 0x80000000u;
      case 4:
        return who.over_threads(who.size, own, add);
      case 5:
        return 1;
      case 6:
        return static_cast<std::uint32_t>(who.size / 4 * 3);
      default:
        return static_cast<std::uint32_t>(who.size / 4);
    }
  }
};

// The last block to arrive reads what all wrote; nobody waits.
struct LastArriver {
  static constexpr const char* name = "global_arrive";
  static constexpr int outputs = 1;

  struct Shared {
    bool last;
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments& arguments, std::uint32_t* out) {
    auto& shared = simt::shared<Shared>(block);
    std::uint32_t* parts = arguments.scratch + 1;
    out[0] = 0;
    if (block.rank() == 1) parts[block.grid_rank()] = own_number(block);
    block.sync();
    if (block.rank() == 0) {
      shared.last = block.global_arrive(arguments.scratch[0], 1u) == static_cast<std::uint32_t>(block.grid_size()) - 1;
    }
    block.sync();
    if (!shared.last) return;
    for (int i = 0; i < block.grid_size(); ++i) out[0] += block.global_load(parts[i]);
    // Which block is last is open: all say it for block 0.
    if (block.grid_rank() != 0) {
      arguments.out[block.rank()] = out[0];
      out[0] = 0;
    }
  }
  static std::uint32_t expected(const Who& who, int) {
    std::uint32_t sum = 0;
    for (int block = 0; block < blocks; ++block) sum += who.with_rank(1).with_block(block).own();
    return who.block == 0 ? sum : 0;
  }
};

struct GlobalAtomics {
  static constexpr const char* name = "global_atomics";
  static constexpr int outputs = 1;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments& arguments, std::uint32_t* out) {
    std::uint32_t* cell = arguments.scratch + 8 * block.grid_rank();
    block.global_fetch_add(cell[0], 3u);
    block.global_fetch_max(cell[1], own_number(block));
    block.global_fetch_min(reinterpret_cast<std::int32_t&>(cell[2]), -block.rank());
    block.global_exchange(cell[3], 17u);
    block.global_fetch_add(reinterpret_cast<std::int64_t&>(cell[4]), std::int64_t{1} << 32);
    block.global_fetch_min(reinterpret_cast<std::int64_t&>(cell[6]), std::int64_t{-5});
    block.sync();
    out[0] = block.global_load(cell[0]) ^ block.global_load(cell[1]) ^ block.global_load(cell[2]) ^
             block.global_load(cell[3]) ^ block.global_load(cell[5]) ^ block.global_load(cell[6]);
  }
  static std::uint32_t expected(const Who& who, int) {
    const auto size = static_cast<std::uint32_t>(who.size);
    return size * 3 ^ who.over_threads(who.size, own, greatest) ^ (1 - size) ^ 17 ^ size ^
           static_cast<std::uint32_t>(-5);
  }
};

struct Loads {
  static constexpr const char* name = "load";
  static constexpr int outputs = 6;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments& arguments, std::uint32_t* out) {
    const std::uint32_t* in = arguments.in + 8 * (block.rank() % 256);
    block.wait_for_previous_kernel();
    block.prefetch(in);
    const auto four = block.load_once(reinterpret_cast<const simt::Pack<std::uint32_t, 4>*>(in));
    const auto eight = block.load(reinterpret_cast<const simt::Pack<std::uint32_t, 8>*>(in));
    const auto two = block.load(reinterpret_cast<const std::uint64_t*>(in));
    out[0] = four[0] + four[3];
    out[1] = eight[1] ^ eight[7];
    out[2] = static_cast<std::uint32_t>(two >> 32);
    out[3] = block.load_once(in + 5);
    out[4] = block.load(reinterpret_cast<const std::uint16_t*>(in) + 3);
    out[5] = block.load_once(reinterpret_cast<const std::uint8_t*>(in) + 6);
    block.allow_next_kernel();
  }
  static std::uint32_t expected(const Who& who, int i) {
    const auto in = [&](int at) { return number(static_cast<std::uint32_t>(8 * (who.rank % 256) + at)); };
    const std::uint32_t said[] = {in(0) + in(3), in(1) ^ in(7), in(1), in(5), in(1) >> 16, in(1) >> 16 & 0xff};
    return said[i];
  }
};

struct BlockFolds {
  static constexpr const char* name = "block_scan_and_reduce";
  static constexpr int outputs = 5;

  template <class Block>
  struct Shared {
    simt::BlockScratch<Block> scratch;
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    auto& shared = simt::shared<Shared<Block>>(block);
    const std::uint32_t mine = own_number(block);
    const auto scan = simt::block_scan_add(block, shared.scratch, mine);
    out[0] = scan.before;
    out[1] = scan.total;
    out[2] = simt::block_reduce_add(block, shared.scratch, mine);
    out[3] = simt::block_reduce_min(block, shared.scratch, mine);
    out[4] = simt::block_reduce_max(block, shared.scratch, mine);
  }
  static std::uint32_t expected(const Who& who, int i) {
    switch (i) {
      case 0:
        return who.over_threads(who.rank + 1, own, add) - who.own();
      case 3:
        return who.over_threads(who.size, own, least);
      case 4:
        return who.over_threads(who.size, own, greatest);
      default:
        return who.over_threads(who.size, own, add);
    }
  }
};

}  // namespace tamis::words
