// A GPU thread as the words of host.hpp see it. The words that need other threads are member functions here,
// implemented in the emulator, out of reach of sanitizers' instrumentation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "simt/host/arena.hpp"
#include "simt/host/context.hpp"

namespace tamis::simt::host {

using Location = std::source_location;

class Machine;
struct BlockState;
struct WarpState;

// What a lane puts forward in a warp exchange.
struct Value {
  std::uint64_t word[2];
};

enum class Access : std::uint8_t { read, write };
enum class ThreadState : std::uint8_t { runnable, waiting, returned };

struct Thread {
  // Who am I.
  int rank = 0;
  int lane = 0;
  int warp = 0;
  BlockState* block = nullptr;
  Machine* machine = nullptr;

  // The scheduler's.
  Context context;
  Stack stack;
  ThreadState state = ThreadState::runnable;
  Thread* next_waiting = nullptr;  // at the same meeting
  const char* word = "";           // what it waits in
  std::uint64_t mask = 0;          // with whom, of its warp; 0: not a warp's word
  Location where;
  unsigned cluster_parity = 0;  // of the cluster's meeting that it arrived at last
  char order = 0;               // the address ThreadSanitizer orders its transfers by

  // What it puts forward in a warp exchange, and what it gets.
  Value value{};
  int source = 0;
  Value* all = nullptr;
  Value result{};

  // The order of words: global loads come after the wait for the previous kernel.
  bool waited_for_previous = false;
  bool loaded = false;
  Location loaded_at;

  // Called by every word: other threads may run now.
  void pause();

  int grid_rank() const;
  int grid_size() const;
  int cluster_rank() const;

  // The block's shared memory, which must have room for `bytes`.
  std::byte* shared(std::size_t bytes, Location where);

  void sync(Location where);
  int sync_count(bool predicate, Location where);
  void sync_warp(std::uint64_t mask, Location where);
  void sync_group(int barrier, int members, Location where);
  void arrive_group(int barrier, int members, Location where);
  void cluster_sync(Location where);
  void cluster_arrive(Location where);
  void cluster_wait(Location where);

  // Warp exchange. vote: the lanes of `mask` that passed true. exchange: what lane `source` put forward.
  // gather: what every lane did, to all[0 .. lanes).
  std::uint64_t vote(std::uint64_t mask, bool predicate, const char* word, Location where);
  Value exchange(std::uint64_t mask, Value value, int source, const char* word, Location where);
  void gather(std::uint64_t mask, Value value, Value* all, const char* word, Location where);

  // A problem unless [cell, cell + bytes) is in this block's shared memory and has been written.
  void check_shared(const void* cell, std::size_t bytes, const char* word, Location where);
  // A problem if it is in this block's shared memory, or if global memory is read before the wait.
  void check_global(const void* cell, const char* word, Location where);
  void check_aligned(const void* cell, std::size_t bytes, const char* word, Location where);
  void wait_for_previous_kernel(Location where);
  void fence();

  // The same place in the shared memory of block `rank` of the cluster.
  void* map_to_block(void* cell, std::size_t bytes, int rank, Location where);

  void check_remote(const void* cell, std::size_t bytes, Access access, Location where);

  // Barriers that count arrivals and bytes; `object` is their place in the block's shared memory.
  void transaction_init(const void* object, int arrivals, Location where);
  void transaction_arrive(const void* object, std::int64_t bytes, Location where);
  void transaction_wait(const void* object, std::uint32_t phase, const char* word, Location where);
  // Counted by this block's barrier, or by the same one of block `rank` of the cluster.
  void copy(void* destination, const void* source, std::size_t bytes, const void* object, Location where);
  void send(void* destination, Value value, std::size_t bytes, const void* object, int rank, Location where);
};

// The GPU thread that is running.
Thread& current_thread();

}  // namespace tamis::simt::host
