// The vocabulary of a block of threads on NVIDIA, sm_80 and above: 32 lanes a warp. Every word is one or a few
// instructions, inlined; what a word means is said once, in vocabulary.md.
#pragma once

#include "simt/common.hpp"
#include "simt/cuda/barriers.hpp"
#include "simt/cuda/cluster.hpp"
#include "simt/cuda/memory.hpp"
#include "simt/cuda/warp.hpp"

namespace tamis::simt::cuda {

// `threads` a block, `cluster` blocks a cluster.
template <int threads, int cluster = 1>
struct Block {
  static_assert(threads % 32 == 0 && threads >= 32 && threads <= 1024);

  using Mask = cuda::Mask;
  using CopyBarrier = cuda::CopyBarrier;
  using TransactionBarrier = cuda::TransactionBarrier;
  template <class T>
  using Remote = cuda::Remote<T>;

  static constexpr int size = threads;
  static constexpr int lanes = 32;
  static constexpr int warps = threads / lanes;
  static constexpr int cluster_size = cluster;
  static constexpr Mask every_lane = cuda::every_lane;
  static constexpr bool has_groups = true;
  static constexpr bool has_transactions = cuda::has_transactions;

  // --- who am I ---
  TAMIS_DEVICE static int rank() { return static_cast<int>(threadIdx.x); }
  TAMIS_DEVICE static int lane() { return rank() % lanes; }
  TAMIS_DEVICE static int warp() { return rank() / lanes; }
  TAMIS_DEVICE static int grid_rank() { return static_cast<int>(blockIdx.x); }
  TAMIS_DEVICE static int grid_size() { return static_cast<int>(gridDim.x); }
  TAMIS_DEVICE static Mask lanes_below() { return (Mask{1} << lane()) - 1; }
  TAMIS_DEVICE static int rank_in(Mask mask) { return __popc(mask & lanes_below()); }

  // --- shared memory ---
  template <class Shared>
  TAMIS_DEVICE static Shared& shared() {
    return *reinterpret_cast<Shared*>(memory());
  }
  template <class Shared, class T>
  TAMIS_DEVICE static T* tail() {
    return reinterpret_cast<T*>(memory() + tail_offset<Shared>);
  }

  // --- waiting ---
  TAMIS_DEVICE static void sync() { __syncthreads(); }
  TAMIS_DEVICE static bool sync_any(bool predicate) { return __syncthreads_or(predicate) != 0; }
  TAMIS_DEVICE static bool sync_all(bool predicate) { return __syncthreads_and(predicate) != 0; }
  TAMIS_DEVICE static int sync_count(bool predicate) { return __syncthreads_count(predicate); }
  TAMIS_DEVICE static void sync_warp() { __syncwarp(); }
  TAMIS_DEVICE static void sync_warp(Mask mask) { __syncwarp(mask); }
  TAMIS_DEVICE static void sync_group(int barrier, int members) {
    asm volatile("barrier.sync.aligned %0, %1;" ::"r"(barrier), "r"(members) : "memory");
  }
  TAMIS_DEVICE static void arrive_group(int barrier, int members) {
    asm volatile("barrier.arrive.aligned %0, %1;" ::"r"(barrier), "r"(members) : "memory");
  }

  // --- warp exchange ---
  TAMIS_DEVICE static Mask ballot(bool predicate) { return __ballot_sync(every_lane, predicate); }
  TAMIS_DEVICE static Mask ballot(Mask mask, bool predicate) { return __ballot_sync(mask, predicate); }
  TAMIS_DEVICE static bool any(bool predicate) { return __any_sync(every_lane, predicate); }
  TAMIS_DEVICE static bool all(bool predicate) { return __all_sync(every_lane, predicate); }
  template <class T>
  TAMIS_DEVICE static T shuffle(T value, int source) {
    return exchange_words(value, [&](std::uint32_t w) { return __shfl_sync(every_lane, w, source); });
  }
  template <class T>
  TAMIS_DEVICE static T broadcast(T value, int source) {
    return shuffle(value, source);
  }
  template <class T>
  TAMIS_DEVICE static T shuffle_up(T value, int distance) {
    return exchange_words(value, [&](std::uint32_t w) { return __shfl_up_sync(every_lane, w, distance); });
  }
  template <class T>
  TAMIS_DEVICE static T shuffle_down(T value, int distance) {
    return exchange_words(value, [&](std::uint32_t w) { return __shfl_down_sync(every_lane, w, distance); });
  }
  template <class T>
  TAMIS_DEVICE static T shuffle_xor(T value, int bits) {
    return exchange_words(value, [&](std::uint32_t w) { return __shfl_xor_sync(every_lane, w, bits); });
  }
  template <class T>
  TAMIS_DEVICE static T scan_add(T value) {
    return cuda::scan_add(value);
  }
  template <class T>
  TAMIS_DEVICE static T reduce_add(T value) {
    if constexpr (has_redux<T>) return __reduce_add_sync(every_lane, value);
    return reduce(value, [](T a, T b) { return a + b; });
  }
  template <class T>
  TAMIS_DEVICE static T reduce_min(T value) {
    if constexpr (has_redux<T>) return __reduce_min_sync(every_lane, value);
    return reduce(value, [](T a, T b) { return b < a ? b : a; });
  }
  template <class T>
  TAMIS_DEVICE static T reduce_max(T value) {
    if constexpr (has_redux<T>) return __reduce_max_sync(every_lane, value);
    return reduce(value, [](T a, T b) { return a < b ? b : a; });
  }

  // --- atomics on this block's shared memory ---
  template <class T>
  TAMIS_DEVICE static T fetch_add(T& cell, std::type_identity_t<T> value) {
    return static_cast<T>(atomicAdd(bits(cell), static_cast<Bits<T>>(value)));
  }
  template <class T>
  TAMIS_DEVICE static T fetch_min(T& cell, std::type_identity_t<T> value) {
    return atomicMin(number(cell), static_cast<Number<T>>(value));
  }
  template <class T>
  TAMIS_DEVICE static T fetch_max(T& cell, std::type_identity_t<T> value) {
    return atomicMax(number(cell), static_cast<Number<T>>(value));
  }
  template <class T>
  TAMIS_DEVICE static T fetch_or(T& cell, std::type_identity_t<T> value) {
    return static_cast<T>(atomicOr(bits(cell), static_cast<Bits<T>>(value)));
  }
  template <class T>
  TAMIS_DEVICE static T exchange(T& cell, std::type_identity_t<T> value) {
    return static_cast<T>(atomicExch(bits(cell), static_cast<Bits<T>>(value)));
  }

  TAMIS_DEVICE static void add_one(std::uint32_t* cells, std::uint32_t at) { fetch_add(cells[at], 1u); }

  // --- atomics on global memory, seen by the whole device ---
  template <class T>
  TAMIS_DEVICE static T global_fetch_add(T& cell, std::type_identity_t<T> value) {
    return fetch_add(cell, value);
  }
  template <class T>
  TAMIS_DEVICE static T global_fetch_min(T& cell, std::type_identity_t<T> value) {
    return fetch_min(cell, value);
  }
  template <class T>
  TAMIS_DEVICE static T global_fetch_max(T& cell, std::type_identity_t<T> value) {
    return fetch_max(cell, value);
  }
  template <class T>
  TAMIS_DEVICE static T global_exchange(T& cell, std::type_identity_t<T> value) {
    return exchange(cell, value);
  }
  TAMIS_DEVICE static std::uint32_t global_arrive(std::uint32_t& cell, std::uint32_t value) {
    return fetch_add_acquire_release(&cell, value);
  }
  template <class T>
  TAMIS_DEVICE static T global_load(const T& cell) {
    return load_relaxed(&cell);
  }
  TAMIS_DEVICE static void global_fence() { __threadfence(); }

  // --- what is one for the whole warp, or for the grid: the compiler here finds that out for itself ---
  template <class T>
  TAMIS_DEVICE static T uniform(T value) {
    return value;
  }
  template <class Arguments>
  TAMIS_DEVICE static const Arguments& reread(const Arguments& arguments) {
    return arguments;
  }

  // --- loads of global memory that this kernel does not write ---
  template <class T>
  TAMIS_DEVICE static T load(const T* pointer) {
    return cuda::load(pointer, Cached{});
  }
  template <class T>
  TAMIS_DEVICE static T load_once(const T* pointer) {
    return cuda::load(pointer, Once{});
  }
  TAMIS_DEVICE static void prefetch(const void* pointer) { cuda::prefetch(pointer); }

  // --- clusters ---
  TAMIS_DEVICE static int cluster_rank() { return cluster == 1 ? 0 : grid_rank() % cluster; }
  TAMIS_DEVICE static void cluster_sync() {
    cluster_arrive();
    cluster_wait();
  }
  TAMIS_DEVICE static void cluster_arrive() {
    if constexpr (cluster > 1) asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  }
  TAMIS_DEVICE static void cluster_arrive_with_barriers() {
    if constexpr (cluster > 1) asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  }
  TAMIS_DEVICE static void cluster_wait() {
    if constexpr (cluster > 1) {
      asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    } else {
      __syncthreads();
    }
  }
  template <class T>
  TAMIS_DEVICE static Remote<T> remote(T& cell, int block) {
    return Remote<T>(cluster > 1 ? map_to_block(shared_address(&cell), block) : shared_address(&cell));
  }
  template <class T>
  TAMIS_DEVICE static void send(Remote<T> destination, std::type_identity_t<T> value, TransactionBarrier& barrier,
                                int block) {
    if constexpr (cluster > 1)
      cuda::send(destination, value, map_to_block(barrier.address(), block));
    else
      cuda::send_alone(destination, value, barrier.address());
  }
  TAMIS_DEVICE static void copy_bulk(void* destination, const void* source, std::uint32_t bytes,
                                     TransactionBarrier& barrier) {
    cuda::copy_bulk(destination, source, bytes, barrier);
  }

  // --- the kernels before and after this one in the stream ---
  TAMIS_DEVICE static void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  }
  TAMIS_DEVICE static void allow_next_kernel() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
  }

 private:
  // The types that CUDA's atomics are declared for.
  template <class T>
  using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  template <class T>
  using Number = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<Bits<T>>, Bits<T>>;

  template <class T>
  TAMIS_DEVICE static Bits<T>* bits(T& cell) {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    return reinterpret_cast<Bits<T>*>(&cell);
  }
  template <class T>
  TAMIS_DEVICE static Number<T>* number(T& cell) {
    return reinterpret_cast<Number<T>*>(bits(cell));
  }
  TAMIS_DEVICE static unsigned char* memory() {
    extern __shared__ __align__(128) unsigned char tamis_shared_memory[];
    return tamis_shared_memory;
  }
};

}  // namespace tamis::simt::cuda
