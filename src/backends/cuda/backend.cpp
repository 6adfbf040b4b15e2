// The CUDA backend: select and merge enqueue what the plan says. No driver is needed to load it; without one there is
// no device.

#include "backends/backend.hpp"

#include "backends/cuda/devices.hpp"
#include "backends/cuda/launch.hpp"
#include "backends/gpu_arguments.hpp"

namespace tamis {
namespace cuda {
namespace {

cudaStream_t native(Stream stream) { return static_cast<cudaStream_t>(stream.handle); }

Status select(const detail::PlanData& plan, const Rows& rows, const Output& output, Workspace workspace,
              Stream stream) {
  return launch(plan, detail::arguments_of(plan, rows, output, workspace), native(stream));
}

Status merge(const detail::PlanData& plan, const Lists& lists, const Output& output, Workspace workspace,
             Stream stream) {
  return launch(plan, detail::arguments_of(plan, lists, output, workspace), native(stream));
}

Status synchronize(Stream stream) { return status_of(cudaStreamSynchronize(native(stream)), "running kernels"); }

void* allocate(std::size_t bytes) {
  void* data = nullptr;
  if (cudaMalloc(&data, bytes) == cudaSuccess) return data;
  cudaGetLastError();
  return nullptr;
}

void release(void* data) { cudaFree(data); }

Status write(void* device, const void* host, std::size_t bytes) {
  return status_of(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
}

Status read(void* host, const void* device, std::size_t bytes) {
  return status_of(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the device");
}

}  // namespace
}  // namespace cuda

const detail::BackendEntry detail::cuda_backend{
    .id = Backend::cuda,
    .devices = [] { return cuda::devices(); },
    .select = cuda::select,
    .merge = cuda::merge,
    .synchronize = cuda::synchronize,
    .memory = {.allocate = cuda::allocate, .release = cuda::release, .write = cuda::write, .read = cuda::read},
};

}  // namespace tamis
