// Cases of clusters, copies and messages.
#pragma once

#include "words.hpp"

namespace tamis::words {

// Every block stores to, adds to, and reads from the next one of its cluster.
struct RemoteMemory {
  static constexpr const char* name = "remote";
  static constexpr int outputs = 4;

  struct Shared {
    std::uint32_t stored[1024];
    std::uint32_t sum, tickets;
    std::uint64_t wide[1024];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    auto& shared = simt::shared<Shared>(block);
    const int next = (block.cluster_rank() + 1) % Block::cluster_size;
    const std::uint32_t mine = own_number(block);
    if (block.rank() == 0) shared.sum = shared.tickets = 0;
    shared.wide[block.rank()] = std::uint64_t{mine} << 32;
    block.cluster_sync();
    block.remote(shared.stored[0], next)[block.rank()].store(mine);
    block.remote(shared.sum, next).add(mine);
    const std::uint32_t ticket = block.remote(shared.tickets, next).fetch_add(1);
    const std::uint64_t wide = block.remote(shared.wide[block.rank()], next).load();
    block.cluster_arrive();
    block.cluster_wait();
    out[0] = shared.stored[block.rank()];
    out[1] = shared.sum;
    out[2] = static_cast<std::uint32_t>(wide >> 32);
    out[3] = ticket < Block::size ? shared.tickets : ~0u;
  }
  static std::uint32_t expected(const Who& who, int i) {
    const int first = who.block - who.cluster_rank();
    const Who previous = who.with_block(first + (who.cluster_rank() + who.cluster - 1) % who.cluster);
    const Who next = who.with_block(first + (who.cluster_rank() + 1) % who.cluster);
    switch (i) {
      case 0:
        return previous.own();
      case 1:
        return previous.over_threads(who.size, own, add);
      case 2:
        return next.own();
      default:
        return static_cast<std::uint32_t>(who.size);
    }
  }
};

// A pipeline of two copies, used for six parts.
struct Copies {
  static constexpr const char* name = "copy_barrier";
  static constexpr int outputs = 1;
  static constexpr int parts = 6;
  static constexpr int part = 512;

  template <class Block>
  struct Shared {
    typename Block::CopyBarrier barrier[2];
    alignas(16) std::uint32_t buffer[2][part];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments& arguments, std::uint32_t* out) {
    auto& shared = simt::shared<Shared<Block>>(block);
    for (auto& barrier : shared.barrier) barrier.init(block);
    const auto start = [&](int i) {
      shared.barrier[i % 2].start(block, shared.buffer[i % 2], arguments.in + i * part, part * 4);
    };
    start(0);
    std::uint32_t sum = 0;
    for (int i = 0; i < parts; ++i) {
      if (i + 1 < parts) start(i + 1);
      shared.barrier[i % 2].wait(block, i / 2 % 2);
      sum = sum * 3 + shared.buffer[i % 2][(block.rank() * 5 + 1) % part];
      block.sync();
    }
    out[0] = sum;
  }
  static std::uint32_t expected(const Who& who, int) {
    std::uint32_t sum = 0;
    for (int i = 0; i < parts; ++i)
      sum = sum * 3 + number(static_cast<std::uint32_t>(i * part + (who.rank * 5 + 1) % part));
    return sum;
  }
};

// Every thread sends a message to every block of its cluster; thread 0 of each copies in bulk.
struct Messages {
  static constexpr const char* name = "transaction_barrier";
  static constexpr int outputs = 2;
  static constexpr int copied = 256;
  using Message = simt::Pack<std::uint32_t, 4>;

  template <class Block>
  struct Shared {
    typename Block::TransactionBarrier barrier;
    Message inbox[Block::cluster_size][Block::size];
    alignas(16) std::uint32_t buffer[copied];
  };

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments& arguments, std::uint32_t* out) {
    if constexpr (Block::has_transactions) {
      auto& shared = simt::shared<Shared<Block>>(block);
      if (block.rank() == 0) shared.barrier.init(1);
      block.cluster_sync();
      if (block.rank() == 0) {
        shared.barrier.expect(sizeof(shared.inbox) + sizeof(shared.buffer));
        block.copy_bulk(shared.buffer, arguments.in, sizeof(shared.buffer), shared.barrier);
      }
      for (int to = 0; to < Block::cluster_size; ++to) {
        const std::uint32_t mine = own_number(block) + to;
        auto destination = block.remote(shared.inbox[block.cluster_rank()][block.rank()], to);
        block.send(destination, Message{{mine, mine + 1, mine + 2, mine + 3}}, shared.barrier, to);
      }
      shared.barrier.wait(0);
      out[0] = out[1] = 0;
      for (int from = 0; from < Block::cluster_size; ++from) {
        out[0] += shared.inbox[from][(block.rank() + 33) % Block::size][3];
      }
      out[1] = shared.buffer[block.rank() % copied];
      block.cluster_sync();
    }
  }
  static std::uint32_t expected(const Who& who, int i) {
    if (who.lanes == 64) return 0;
    if (i == 1) return number(static_cast<std::uint32_t>(who.rank % copied));
    std::uint32_t sum = 0;
    for (int from = 0; from < who.cluster; ++from) {
      sum += who.with_block(who.block - who.cluster_rank() + from).with_rank((who.rank + 33) % who.size).own();
      sum += static_cast<std::uint32_t>(who.cluster_rank()) + 3;
    }
    return sum;
  }
};

}  // namespace tamis::words
