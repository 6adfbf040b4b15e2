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

namespace tamis::simt {

// A kernel for clusters, compiled for an architecture without them, is an entry that is never launched.
template <class Kernel, class Block>
TAMIS_DEVICE void run_entry(const typename Kernel::Arguments& arguments) {
  if constexpr (Block::cluster_size == 1 || Block::has_transactions) Kernel::run(Block{}, arguments);
}

}  // namespace tamis::simt

#define TAMIS_ENTRY(name, threads, blocks_per_unit, cluster, ...)                                   \
  extern "C" __global__ void __launch_bounds__(threads, blocks_per_unit)                            \
      tamis_##name(const __grid_constant__ __VA_ARGS__::Arguments arguments) {                      \
    ::tamis::simt::run_entry<__VA_ARGS__, ::tamis::simt::cuda::Block<threads, cluster>>(arguments); \
  }
#endif
