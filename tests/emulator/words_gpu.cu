// The same cases on the GPU at hand. Prints what differs; exits with 1 if anything does, with 77 where there is no GPU.
#include <cstdio>
#include <vector>

#include "simt/cuda.hpp"
#include "words_block.hpp"
#include "words_cluster.hpp"
#include "words_warp.hpp"

namespace tamis::words {
namespace {

constexpr int shared_bytes = 60000;

template <class Case, class Block>
__global__ void __launch_bounds__(Block::size) entry(const __grid_constant__ Arguments arguments) {
  if constexpr (Block::cluster_size == 1 || Block::has_transactions) Say<Case>::run(Block{}, arguments);
}

template <class T>
T* device_copy(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class Case, class Block>
cudaError_t launch(const Arguments& arguments) {
  cudaFuncSetAttribute(entry<Case, Block>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {Block::cluster_size, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(Block::size);
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = Block::cluster_size > 1 ? 1 : 0;
  cudaLaunchKernelEx(&config, entry<Case, Block>, arguments);
  return cudaDeviceSynchronize();
}

template <class Case, class Block>
int differences(const std::vector<std::uint32_t>& out) {
  int count = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int thread = static_cast<int>(i) / Case::outputs;
    const int output = static_cast<int>(i) % Case::outputs;
    const Who who{Block::size, Block::lanes, Block::cluster_size, thread / Block::size, thread % Block::size};
    const std::uint32_t expected = Case::expected(who, output);
    if (out[i] == expected || ++count > 3) continue;
    std::printf("%s: block %d, thread %d, output %d: %u, expected %u\n", Case::name, who.block, who.rank, output,
                out[i], expected);
  }
  return count;
}

// 0 where the GPU says what the case expects.
template <class Case, class Block>
int run() {
  std::vector<std::uint32_t> in(inputs);
  for (int i = 0; i < inputs; ++i) in[i] = number(static_cast<std::uint32_t>(i));
  std::vector<std::uint32_t> out(static_cast<std::size_t>(blocks) * Block::size * Case::outputs);
  const Arguments arguments{device_copy(in), device_copy(out), device_copy(std::vector<std::uint32_t>(scratch_cells))};
  const cudaError_t error = launch<Case, Block>(arguments);
  if (error != cudaSuccess) std::printf("%s: %s\n", Case::name, cudaGetErrorString(error));
  cudaMemcpy(out.data(), arguments.out, out.size() * sizeof(out[0]), cudaMemcpyDeviceToHost);
  for (const void* memory : {static_cast<const void*>(arguments.in), static_cast<const void*>(arguments.out),
                             static_cast<const void*>(arguments.scratch)}) {
    cudaFree(const_cast<void*>(memory));
  }
  return error != cudaSuccess || differences<Case, Block>(out) > 0 ? 1 : 0;
}

// How many of the cases differ, with blocks of 128 threads or with clusters of four blocks of 64.
template <class Block, class... Case>
int run_all() {
  const int wrong = (run<Case, Block>() + ...);
  std::printf("%d of %d cases differ in clusters of %d\n", wrong, static_cast<int>(sizeof...(Case)),
              Block::cluster_size);
  return wrong;
}

template <class Block>
int run_everywhere() {
  return run_all<Block, WhoAmI, Ballot, BallotOfSome, AnyAll, Shuffle, WarpFolds, Sync, SyncVotes, SyncWarp, Groups,
                 Atomics, LastArriver, GlobalAtomics, Loads, BlockFolds, RemoteMemory, Copies>();
}

}  // namespace
}  // namespace tamis::words

int main() {
  using namespace tamis::words;
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return 77;
  std::printf("%s\n", device.name);
  using Alone = tamis::simt::cuda::Block<128>;
  using Clustered = tamis::simt::cuda::Block<64, 4>;
  int wrong = run_everywhere<Alone>();
  if (device.major >= 9)
    wrong += run_everywhere<Clustered>() + run_all<Alone, Messages>() + run_all<Clustered, Messages>();
  return wrong == 0 ? 0 : 1;
}
