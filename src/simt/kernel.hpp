// What a kernel is: a type K with
//   struct Arguments               what it is launched with, a POD passed by value
//   template <class Block> struct Shared       (optional use) its shared memory, a POD
//   template <class Block> TAMIS_DEVICE static void run(Block block, const Arguments& arguments)
// and an instance of it: a line of kernels/instances.def,
//   TAMIS_INSTANCE(name, threads, blocks_per_unit, cluster, K ...)
// from which each backend makes an entry `tamis_<name>`. This header gives the body of the line for the target at hand.
#pragma once

#include "simt/common.hpp"

#if defined(__CUDACC__)
#include "simt/cuda.hpp"

namespace tamis::simt::device {
using cuda::Block;
}

#define TAMIS_ENTRY_ATTRIBUTES(threads, blocks_per_unit) __global__ __launch_bounds__(threads, blocks_per_unit)
#define TAMIS_ENTRY_ARGUMENT const __grid_constant__

#elif defined(__HIP__)
#include "simt/hip.hpp"

namespace tamis::simt::device {
using hip::Block;

// Wavefronts that each of a unit's four SIMDs holds when the unit holds `blocks_per_unit`.
constexpr int waves_per_simd(int threads, int blocks_per_unit) {
  return (blocks_per_unit * threads / hip::lanes + 3) / 4;
}
}  // namespace tamis::simt::device

#define TAMIS_ENTRY_ATTRIBUTES(threads, blocks_per_unit)                \
  __attribute__((global, amdgpu_flat_work_group_size(threads, threads), \
                 amdgpu_waves_per_eu(::tamis::simt::device::waves_per_simd(threads, blocks_per_unit))))
#define TAMIS_ENTRY_ARGUMENT const

#endif

#if defined(__CUDACC__) || defined(__HIP__)
namespace tamis::simt {

// A kernel for clusters, compiled for an architecture without them, is an entry that is never launched. Arguments are
// read where the launch left them: a parameter whose address is taken would be copied to a stack.
template <class Kernel, class Block>
TAMIS_DEVICE void run_entry(const typename Kernel::Arguments& arguments) {
  if constexpr (Block::cluster_size == 1 || Block::has_transactions) Kernel::run(Block{}, Block::reread(arguments));
}

}  // namespace tamis::simt

#define TAMIS_ENTRY(name, threads, blocks_per_unit, cluster, ...)                                          \
  extern "C" TAMIS_ENTRY_ATTRIBUTES(                                                                       \
      threads, blocks_per_unit) void tamis_##name(TAMIS_ENTRY_ARGUMENT __VA_ARGS__::Arguments arguments) { \
    ::tamis::simt::run_entry<__VA_ARGS__, ::tamis::simt::device::Block<threads, cluster>>(arguments);      \
  }
#endif
