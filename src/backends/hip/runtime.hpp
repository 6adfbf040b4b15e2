// The HIP runtime as gpu/launch.hpp and gpu/entry.hpp ask for it.
#pragma once

#include "backends/hip/devices.hpp"
#include "backends/hip/kernels.hpp"
#include "kernels/arguments.hpp"

namespace tamis::hip {

struct Runtime {
  using Handle = StreamHandle;
  static constexpr std::string_view label = "HIP";

  static const Result<std::vector<Device>>& devices() { return hip::devices(); }
  static Status current_device(int& ordinal);
  static Status set_device(int ordinal);

  static int find_kernel(std::string_view name) { return hip::find_kernel(name); }
  static Status prepare(const Device& device, int) { return load_kernels(device); }
  static Status enqueue(const Launch& launch, const Device& device, int kernel, kernels::Arguments arguments,
                        StreamHandle stream);
  static Status synchronize(StreamHandle stream);

  static void* allocate(std::size_t bytes);
  static void release(void* data);
  static Status write(void* device, const void* host, std::size_t bytes);
  static Status read(void* host, const void* device, std::size_t bytes);
};

}  // namespace tamis::hip
