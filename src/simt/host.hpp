// The vocabulary of a block of threads on the host: every word lets other threads run, checks what a GPU would not, and
// has the meaning that vocabulary.md gives it. Both widths of a warp live in one program.
#pragma once

#include "simt/common.hpp"
#include "simt/host/emulator.hpp"
#include "simt/host/remote.hpp"
#include "simt/host/thread.hpp"

namespace tamis::simt::host {

// `threads` a block, `lanes` a warp, `cluster` blocks a cluster.
template <int threads, int warp_lanes, int cluster = 1>
class Block {
  static_assert(warp_lanes == 32 || warp_lanes == 64);
  static_assert(threads % warp_lanes == 0 && threads >= warp_lanes && threads <= 1024);

 public:
  using Mask = std::conditional_t<warp_lanes == 32, std::uint32_t, std::uint64_t>;
  using CopyBarrier = host::CopyBarrier;
  using TransactionBarrier = host::TransactionBarrier;
  template <class T>
  using Remote = host::Remote<T>;

  static constexpr int size = threads;
  static constexpr int lanes = warp_lanes;
  static constexpr int warps = threads / lanes;
  static constexpr int cluster_size = cluster;
  static constexpr Mask every_lane = ~Mask{0};
  static constexpr bool has_groups = warp_lanes == 32;  // as on the machines with these lanes
  static constexpr bool has_transactions = warp_lanes == 32;

  explicit Block(Thread& thread) : thread_(&thread) {}

  // --- who am I ---
  int rank() const { return thread_->rank; }
  int lane() const { return thread_->lane; }
  int warp() const { return thread_->warp; }
  int grid_rank() const { return thread_->grid_rank(); }
  int grid_size() const { return thread_->grid_size(); }
  Mask lanes_below() const { return (Mask{1} << lane()) - 1; }
  int rank_in(Mask mask) const { return std::popcount(static_cast<Mask>(mask & lanes_below())); }

  // --- shared memory ---
  template <class Shared>
  Shared& shared(Location where = Location::current()) const {
    static_assert(std::is_trivially_default_constructible_v<Shared>);
    return *reinterpret_cast<Shared*>(thread_->shared(sizeof(Shared), where));
  }
  template <class Shared, class T>
  T* tail(Location where = Location::current()) const {
    return reinterpret_cast<T*>(thread_->shared(tail_offset<Shared>, where) + tail_offset<Shared>);
  }

  // --- waiting ---
  void sync(Location where = Location::current()) const { thread_->sync(where); }
  bool sync_any(bool predicate, Location where = Location::current()) const {
    return thread_->sync_count(predicate, where) > 0;
  }
  bool sync_all(bool predicate, Location where = Location::current()) const {
    return thread_->sync_count(predicate, where) == size;
  }
  int sync_count(bool predicate, Location where = Location::current()) const {
    return thread_->sync_count(predicate, where);
  }
  void sync_warp(Location where = Location::current()) const { thread_->sync_warp(every_lane, where); }
  void sync_warp(Mask mask, Location where = Location::current()) const { thread_->sync_warp(mask, where); }
  void sync_group(int barrier, int members, Location where = Location::current()) const {
    thread_->sync_group(barrier, members, where);
  }
  void arrive_group(int barrier, int members, Location where = Location::current()) const {
    thread_->arrive_group(barrier, members, where);
  }

  // --- warp exchange ---
  Mask ballot(bool predicate, Location where = Location::current()) const {
    return static_cast<Mask>(thread_->vote(every_lane, predicate, "ballot", where));
  }
  Mask ballot(Mask mask, bool predicate, Location where = Location::current()) const {
    return static_cast<Mask>(thread_->vote(mask, predicate, "ballot", where));
  }
  bool any(bool predicate, Location where = Location::current()) const {
    return thread_->vote(every_lane, predicate, "any", where) != 0;
  }
  bool all(bool predicate, Location where = Location::current()) const {
    return thread_->vote(every_lane, predicate, "all", where) == every_lane;
  }
  template <class T>
  T shuffle(T value, int source, Location where = Location::current()) const {
    return exchange_from(value, source & (lanes - 1), "shuffle", where);
  }
  template <class T>
  T broadcast(T value, int source, Location where = Location::current()) const {
    return exchange_from(value, source & (lanes - 1), "broadcast", where);
  }
  template <class T>
  T shuffle_up(T value, int distance, Location where = Location::current()) const {
    return exchange_from(value, lane() < distance ? lane() : lane() - distance, "shuffle_up", where);
  }
  template <class T>
  T shuffle_down(T value, int distance, Location where = Location::current()) const {
    return exchange_from(value, lane() + distance < lanes ? lane() + distance : lane(), "shuffle_down", where);
  }
  template <class T>
  T shuffle_xor(T value, int bits, Location where = Location::current()) const {
    return exchange_from(value, lane() ^ (bits & (lanes - 1)), "shuffle_xor", where);
  }
  template <class T>
  T scan_add(T value, Location where = Location::current()) const {
    return fold(
        value, lane() + 1, [](T a, T b) { return static_cast<T>(a + b); }, "scan_add", where);
  }
  template <class T>
  T reduce_add(T value, Location where = Location::current()) const {
    return fold(
        value, lanes, [](T a, T b) { return static_cast<T>(a + b); }, "reduce_add", where);
  }
  template <class T>
  T reduce_min(T value, Location where = Location::current()) const {
    return fold(
        value, lanes, [](T a, T b) { return b < a ? b : a; }, "reduce_min", where);
  }
  template <class T>
  T reduce_max(T value, Location where = Location::current()) const {
    return fold(
        value, lanes, [](T a, T b) { return a < b ? b : a; }, "reduce_max", where);
  }

  // --- atomics on this block's shared memory ---
  template <class T>
  T fetch_add(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return __atomic_fetch_add(checked_shared(cell, "fetch_add", where), value, __ATOMIC_RELAXED);
  }
  template <class T>
  T fetch_min(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return update(checked_shared(cell, "fetch_min", where), [&](T old) { return value < old ? value : old; });
  }
  template <class T>
  T fetch_max(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return update(checked_shared(cell, "fetch_max", where), [&](T old) { return old < value ? value : old; });
  }
  template <class T>
  T fetch_or(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return __atomic_fetch_or(checked_shared(cell, "fetch_or", where), value, __ATOMIC_RELAXED);
  }
  template <class T>
  T exchange(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return __atomic_exchange_n(checked_shared(cell, "exchange", where), value, __ATOMIC_RELAXED);
  }

  void add_one(std::uint32_t* cells, std::uint32_t at, Location where = Location::current()) const {
    fetch_add(cells[at], 1u, where);
  }

  // --- atomics on global memory, seen by the whole device ---
  template <class T>
  T global_fetch_add(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return __atomic_fetch_add(checked_global(cell, "global_fetch_add", where), value, __ATOMIC_RELAXED);
  }
  template <class T>
  T global_fetch_min(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return update(checked_global(cell, "global_fetch_min", where), [&](T old) { return value < old ? value : old; });
  }
  template <class T>
  T global_fetch_max(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return update(checked_global(cell, "global_fetch_max", where), [&](T old) { return old < value ? value : old; });
  }
  template <class T>
  T global_exchange(T& cell, std::type_identity_t<T> value, Location where = Location::current()) const {
    return __atomic_exchange_n(checked_global(cell, "global_exchange", where), value, __ATOMIC_RELAXED);
  }
  std::uint32_t global_arrive(std::uint32_t& cell, std::uint32_t value, Location where = Location::current()) const {
    return __atomic_fetch_add(checked_global(cell, "global_arrive", where), value, __ATOMIC_ACQ_REL);
  }
  template <class T>
  T global_load(const T& cell, Location where = Location::current()) const {
    thread_->pause();
    thread_->check_global(&cell, "global_load", where);
    return __atomic_load_n(&cell, __ATOMIC_RELAXED);
  }
  void global_fence() const { thread_->fence(); }

  // --- what is one for the whole warp, or for the grid ---
  template <class T>
  T uniform(T value) const {
    return value;
  }
  template <class Arguments>
  const Arguments& reread(const Arguments& arguments) const {
    return arguments;
  }

  // --- loads of global memory that this kernel does not write ---
  template <class T>
  T load(const T* pointer, Location where = Location::current()) const {
    thread_->pause();
    thread_->check_aligned(pointer, sizeof(T), "load", where);
    thread_->check_global(pointer, "load", where);
    return *pointer;
  }
  template <class T>
  T load_once(const T* pointer, Location where = Location::current()) const {
    return load(pointer, where);
  }
  void prefetch(const void*) const {}
  void check_global(const void* cell, const char* word, Location where) const {
    thread_->check_global(cell, word, where);
  }

  // --- clusters ---
  int cluster_rank() const { return thread_->cluster_rank(); }
  void cluster_sync(Location where = Location::current()) const { thread_->cluster_sync(where); }
  void cluster_arrive(Location where = Location::current()) const { thread_->cluster_arrive(where); }
  void cluster_arrive_with_barriers(Location where = Location::current()) const { thread_->cluster_arrive(where); }
  void cluster_wait(Location where = Location::current()) const { thread_->cluster_wait(where); }
  template <class T>
  Remote<T> remote(T& cell, int block, Location where = Location::current()) const {
    return Remote<T>(static_cast<T*>(thread_->map_to_block(&cell, sizeof(T), block, where)));
  }
  template <class T>
  void send(Remote<T> destination, std::type_identity_t<T> value, TransactionBarrier& barrier, int block,
            Location where = Location::current()) const {
    thread_->send(destination.address(), to_value(value), sizeof(T), &barrier, block, where);
  }
  void copy_bulk(void* destination, const void* source, std::uint32_t bytes, TransactionBarrier& barrier,
                 Location where = Location::current()) const {
    thread_->check_global(source, "copy_bulk", where);
    thread_->copy(destination, source, bytes, &barrier, where);
  }

  // --- the kernels before and after this one ---
  void wait_for_previous_kernel(Location where = Location::current()) const {
    thread_->wait_for_previous_kernel(where);
  }
  void allow_next_kernel() const { thread_->pause(); }

 private:
  template <class T>
  T exchange_from(T value, int source, const char* word, Location where) const {
    return from_value<T>(thread_->exchange(every_lane, to_value(value), source, word, where));
  }

  // The values of the lowest `count` lanes combined, lane by lane.
  template <class T, class Combine>
  T fold(T value, int count, Combine combine, const char* word, Location where) const {
    Value all[lanes];
    thread_->gather(every_lane, to_value(value), all, word, where);
    T result = from_value<T>(all[0]);
    for (int i = 1; i < count; ++i) result = combine(result, from_value<T>(all[i]));
    return result;
  }

  template <class T>
  T* checked_shared(T& cell, const char* word, Location where) const {
    thread_->pause();
    thread_->check_shared(&cell, sizeof(T), word, where);
    return &cell;
  }
  template <class T>
  T* checked_global(T& cell, const char* word, Location where) const {
    thread_->pause();
    thread_->check_global(&cell, word, where);
    return &cell;
  }
  template <class T, class Next>
  static T update(T* cell, Next next) {
    T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(cell, &old, next(old), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
  }

  Thread* thread_;
};

// Runs `Kernel` on a grid of `Block`s. The grid's threads, lanes and cluster are the Block's.
template <class Kernel, class Block>
Report launch(Grid grid, const typename Kernel::Arguments& arguments, const Schedule& schedule) {
  grid.threads = Block::size;
  grid.lanes = Block::lanes;
  grid.cluster = Block::cluster_size;
  const Entry entry = [](Thread& thread, const void* data) {
    Kernel::run(Block(thread), *static_cast<const typename Kernel::Arguments*>(data));
  };
  return run(grid, schedule, entry, &arguments);
}

}  // namespace tamis::simt::host
