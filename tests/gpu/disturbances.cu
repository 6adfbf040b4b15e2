#include "disturbances.hpp"

namespace tamis::testing {
namespace {

__device__ void pass(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void hold(long long cycles) { pass(cycles); }

__global__ void copy(unsigned char* to, const unsigned char* from, std::size_t bytes, long long cycles) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  pass(cycles);
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < bytes;
       i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = from[i];
}

__global__ void write_nowhere() { *reinterpret_cast<volatile int*>(0x10) = 1; }

}  // namespace

cudaError_t hold_units(int blocks, long long cycles, cudaStream_t stream) {
  constexpr int shared = 160 * 1024;
  const cudaError_t error = cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (error != cudaSuccess) return error;
  hold<<<blocks, 1024, shared, stream>>>(cycles);
  return cudaGetLastError();
}

cudaError_t copy_late(void* to, const void* from, std::size_t bytes, long long cycles, cudaStream_t stream) {
  copy<<<64, 256, 0, stream>>>(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes, cycles);
  return cudaGetLastError();
}

cudaError_t fault(cudaStream_t stream) {
  write_nowhere<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

}  // namespace tamis::testing
