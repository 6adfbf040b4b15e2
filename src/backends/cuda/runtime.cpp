#include "backends/cuda/runtime.hpp"

#include <atomic>
#include <memory>

namespace tamis::cuda {
namespace {

// Which kernels of which device may use what the device allows: opted in once, at their first launch. A thread that
// comes at the same time opts in too, to the same limits.
class OptIns {
 public:
  OptIns() : done_(std::make_unique<std::atomic<bool>[]>(devices().value.size() * entries().size())) {}

  cudaError_t opt_in(const Device& device, int entry) {
    std::atomic<bool>& done = done_[static_cast<std::size_t>(device.ordinal) * entries().size() + entry];
    if (done.load(std::memory_order_acquire)) return cudaSuccess;
    const void* function = entries()[entry].function;
    const int most = devices().value[device.ordinal].shared_bytes_per_block;
    cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (error == cudaSuccess && device.max_cluster_blocks > 8)
      error = cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error == cudaSuccess) done.store(true, std::memory_order_release);
    return error;
  }

 private:
  std::unique_ptr<std::atomic<bool>[]> done_;
};

OptIns& opt_ins() {
  static OptIns all;
  return all;
}

// A launch's attributes: its cluster, and whether it may start before what precedes it has ended.
struct Attributes {
  cudaLaunchAttribute list[2];
  unsigned count = 0;

  Attributes(const Launch& launch, const Device& device) {
    if (launch.cluster > 1) {
      list[count].id = cudaLaunchAttributeClusterDimension;
      list[count++].val.clusterDim = {static_cast<unsigned>(launch.cluster), 1, 1};
    }
    if (device.dependent_launch) {
      list[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      list[count++].val.programmaticStreamSerializationAllowed = 1;
    }
  }
};

}  // namespace

Status Runtime::prepare(const Device& device, int kernel) {
  return status_of(opt_ins().opt_in(device, kernel), "preparing a kernel");
}

Status Runtime::enqueue(const Launch& launch, const Device& device, int kernel, kernels::Arguments arguments,
                        cudaStream_t stream) {
  Attributes attributes(launch, device);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  config.blockDim = dim3(static_cast<unsigned>(launch.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(launch.shared_bytes);
  config.stream = stream;
  config.attrs = attributes.list;
  config.numAttrs = attributes.count;
  void* parameters[] = {&arguments};
  return status_of(cudaLaunchKernelExC(&config, entries()[kernel].function, parameters), "launching a kernel");
}

Status Runtime::synchronize(cudaStream_t stream) { return status_of(cudaStreamSynchronize(stream), "running kernels"); }

void* Runtime::allocate(std::size_t bytes) {
  void* data = nullptr;
  if (cudaMalloc(&data, bytes) == cudaSuccess) return data;
  cudaGetLastError();
  return nullptr;
}

void Runtime::release(void* data) { cudaFree(data); }

Status Runtime::write(void* device, const void* host, std::size_t bytes) {
  return status_of(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
}

Status Runtime::read(void* host, const void* device, std::size_t bytes) {
  return status_of(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the device");
}

}  // namespace tamis::cuda
