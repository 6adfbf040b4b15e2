// The vocabulary of a block of threads on AMD, from clang's builtins alone: no ROCm header or device library. What a
// word means is said once, in vocabulary.md.
#pragma once

#include "simt/common.hpp"
#include "simt/hip/memory.hpp"
#include "simt/hip/warp.hpp"

namespace tamis::simt::hip {

// `threads` a block; clusters are of one block.
template <int threads, int cluster = 1>
struct Block {
  static_assert(threads % hip::lanes == 0 && threads >= hip::lanes && threads <= 1024);

  using Mask = hip::Mask;
  using CopyBarrier = hip::CopyBarrier;
  using TransactionBarrier = hip::TransactionBarrier;
  template <class T>
  using Remote = hip::Remote<T>;

  static constexpr int size = threads;
  static constexpr int lanes = hip::lanes;
  static constexpr int warps = threads / lanes;
  static constexpr int cluster_size = cluster;
  static constexpr Mask every_lane = ~Mask{0};
  static constexpr bool has_groups = false;
  static constexpr bool has_transactions = false;

  // --- who am I ---
  TAMIS_DEVICE static int rank() { return static_cast<int>(__builtin_amdgcn_workitem_id_x()); }
  TAMIS_DEVICE static int lane() { return rank() % lanes; }
  TAMIS_DEVICE static int warp() { return __builtin_amdgcn_readfirstlane(rank() / lanes); }
  TAMIS_DEVICE static int grid_rank() { return static_cast<int>(__builtin_amdgcn_workgroup_id_x()); }
  TAMIS_DEVICE static int grid_size() { return static_cast<int>(__builtin_amdgcn_grid_size_x() / threads); }
  TAMIS_DEVICE static Mask lanes_below() { return (Mask{1} << lane()) - 1; }
  TAMIS_DEVICE static int rank_in(Mask mask) { return hip::rank_in(mask); }

  // --- shared memory ---
  template <class Shared>
  TAMIS_DEVICE static Shared& shared() {
    __attribute__((shared)) static Shared memory;
    return memory;
  }
  template <class Shared, class T>
  TAMIS_DEVICE static T* tail() {
    extern __attribute__((shared, aligned(16))) unsigned char tamis_shared_tail[];
    return reinterpret_cast<T*>(tamis_shared_tail);
  }

  // --- waiting ---
  TAMIS_DEVICE static void sync() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  TAMIS_DEVICE static bool sync_any(bool predicate) { return sync_count(predicate) != 0; }
  TAMIS_DEVICE static bool sync_all(bool predicate) { return sync_count(predicate) == size; }
  TAMIS_DEVICE static int sync_count(bool predicate) {
    __attribute__((shared)) static int of_warp[warps];
    const Mask votes = ballot(predicate);
    if (lane() == 0) of_warp[warp()] = std::popcount(votes);
    sync();
    int sum = 0;
    TAMIS_UNROLL
    for (int i = 0; i < warps; ++i) sum += of_warp[i];
    sync();
    return sum;
  }
  TAMIS_DEVICE static void sync_warp() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  }
  TAMIS_DEVICE static void sync_warp(Mask) { sync_warp(); }

  // --- warp exchange ---
  TAMIS_DEVICE static Mask ballot(bool predicate) { return hip::ballot(predicate); }
  TAMIS_DEVICE static Mask ballot(Mask mask, bool predicate) { return hip::ballot(predicate) & mask; }
  TAMIS_DEVICE static bool any(bool predicate) { return hip::ballot(predicate) != 0; }
  TAMIS_DEVICE static bool all(bool predicate) { return hip::ballot(!predicate) == 0; }
  template <class T>
  TAMIS_DEVICE static T shuffle(T value, int source) {
    return from_lane(value, source & (lanes - 1));
  }
  template <class T>
  TAMIS_DEVICE static T broadcast(T value, int source) {
    return from_uniform_lane(value, __builtin_amdgcn_readfirstlane(source) & (lanes - 1));
  }
  template <class T>
  TAMIS_DEVICE static T shuffle_up(T value, int distance) {
    return from_lane(value, lane() < distance ? lane() : lane() - distance);
  }
  template <class T>
  TAMIS_DEVICE static T shuffle_down(T value, int distance) {
    return from_lane(value, lane() + distance < lanes ? lane() + distance : lane());
  }
  template <class T>
  TAMIS_DEVICE static T shuffle_xor(T value, int bits) {
    return from_lane(value, lane() ^ (bits & (lanes - 1)));
  }
  template <class T>
  TAMIS_DEVICE static T scan_add(T value) {
    return scan(value, T{}, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  TAMIS_DEVICE static T reduce_add(T value) {
    return from_uniform_lane(scan_add(value), lanes - 1);
  }
  template <class T>
  TAMIS_DEVICE static T reduce_min(T value) {
    return fold(value, [](T a, T b) { return b < a ? b : a; });
  }
  template <class T>
  TAMIS_DEVICE static T reduce_max(T value) {
    return fold(value, [](T a, T b) { return a < b ? b : a; });
  }

  // --- atomics on this block's shared memory ---
  template <class T>
  TAMIS_DEVICE static T fetch_add(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_add(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  template <class T>
  TAMIS_DEVICE static T fetch_min(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_min(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  template <class T>
  TAMIS_DEVICE static T fetch_max(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_max(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  template <class T>
  TAMIS_DEVICE static T fetch_or(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_or(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  template <class T>
  TAMIS_DEVICE static T exchange(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_exchange(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }

  // Lanes that name one cell wait for each other, all of them where scores are equal: those that name the first lane's
  // are added as one.
  TAMIS_DEVICE static void add_one(std::uint32_t* cells, std::uint32_t at) {
    const auto first = static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(at)));
    const Mask same = hip::ballot(at == first);
    if (at != first)
      fetch_add(cells[at], 1u);
    else if (rank_in(same) == 0)
      fetch_add(cells[first], static_cast<std::uint32_t>(std::popcount(same)));
  }

  // --- atomics on global memory, seen by the whole device ---
  template <class T>
  TAMIS_DEVICE static T global_fetch_add(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_add(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  TAMIS_DEVICE static T global_fetch_min(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_min(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  TAMIS_DEVICE static T global_fetch_max(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_fetch_max(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  TAMIS_DEVICE static T global_exchange(T& cell, std::type_identity_t<T> value) {
    return __hip_atomic_exchange(&cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  TAMIS_DEVICE static std::uint32_t global_arrive(std::uint32_t& cell, std::uint32_t value) {
    return __hip_atomic_fetch_add(&cell, value, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  TAMIS_DEVICE static T global_load(const T& cell) {
    return __hip_atomic_load(&cell, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  TAMIS_DEVICE static void global_fence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }

  // --- what is one for the whole warp, or for the grid ---
  template <class T>
  TAMIS_DEVICE static T uniform(T value) {
    return exchange_words(value, [](std::uint32_t word) {
      return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(word)));
    });
  }
  template <class Arguments>
  TAMIS_DEVICE static const Arguments& reread(const Arguments&) {
    return hip::launch_arguments<Arguments>();
  }

  // --- loads of global memory that this kernel does not write ---
  template <class T>
  TAMIS_DEVICE static T load(const T* pointer) {
    return hip::load_constant(pointer);
  }
  template <class T>
  TAMIS_DEVICE static T load_once(const T* pointer) {
    return hip::load_once(pointer);
  }
  TAMIS_DEVICE static void prefetch(const void*) {}

  // --- clusters of one block ---
  TAMIS_DEVICE static int cluster_rank() { return 0; }
  TAMIS_DEVICE static void cluster_sync() { sync(); }
  TAMIS_DEVICE static void cluster_arrive() {}
  TAMIS_DEVICE static void cluster_arrive_with_barriers() {}
  TAMIS_DEVICE static void cluster_wait() { sync(); }
  template <class T>
  TAMIS_DEVICE static Remote<T> remote(T& cell, int) {
    return Remote<T>(&cell);
  }

  // --- the kernels before and after this one: the stream orders them ---
  TAMIS_DEVICE static void wait_for_previous_kernel() {}
  TAMIS_DEVICE static void allow_next_kernel() {}
};

}  // namespace tamis::simt::hip
