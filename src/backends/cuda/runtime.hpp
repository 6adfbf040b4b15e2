// The CUDA runtime as gpu/launch.hpp and gpu/entry.hpp ask for it.
#pragma once

#include "backends/cuda/devices.hpp"
#include "backends/cuda/entries.hpp"
#include "backends/cuda/status.hpp"
#include "kernels/arguments.hpp"

namespace tamis::cuda {

struct Runtime {
  using Handle = cudaStream_t;
  static constexpr std::string_view label = "CUDA";

  static const Result<std::vector<Device>>& devices() { return cuda::devices(); }
  static Status current_device(int& ordinal) { return status_of(cudaGetDevice(&ordinal), "choosing the device"); }
  static Status set_device(int ordinal) { return status_of(cudaSetDevice(ordinal), "choosing the device"); }

  static int find_kernel(std::string_view name) { return find_entry(name); }
  // Lets the kernel use all that the device allows it.
  static Status prepare(const Device& device, int kernel);
  // As a dependent of what precedes it, where the device has that.
  static Status enqueue(const Launch& launch, const Device& device, int kernel, kernels::Arguments arguments,
                        cudaStream_t stream);
  static Status synchronize(cudaStream_t stream);

  static void* allocate(std::size_t bytes);
  static void release(void* data);
  static Status write(void* device, const void* host, std::size_t bytes);
  static Status read(void* host, const void* device, std::size_t bytes);
};

}  // namespace tamis::cuda
