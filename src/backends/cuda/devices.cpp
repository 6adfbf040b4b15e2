#include "backends/cuda/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "backends/cuda/runtime.hpp"
#include "backends/gpu/launch.hpp"

namespace tamis::cuda {
namespace {

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? value : 0;
}

// "NVIDIA H200" is known as "h200".
std::string short_name(std::string_view full) {
  std::string result;
  for (char c : full.starts_with("NVIDIA ") ? full.substr(7) : full)
    if (c != ' ') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// The largest cluster that a kernel of this build can have on the device: fewer blocks than the architecture allows
// where the device is a slice of a GPU. Asked of the runtime, about a kernel that is launched in clusters.
int most_cluster_blocks(int ordinal) {
  if (attribute(cudaDevAttrClusterLaunch, ordinal) == 0) return 0;
  const int entry = find_entry("cluster_row_8_f32");
  const gpu::CurrentDevice<Runtime> current(ordinal);
  if (entry < 0 || !current.status().ok()) return 0;
  const void* function = entries()[entry].function;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(16);
  config.blockDim = dim3(512);
  int blocks = 0;
  cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (error == cudaSuccess) error = cudaOccupancyMaxPotentialClusterSize(&blocks, function, &config);
  if (error == cudaSuccess) return blocks;
  cudaGetLastError();
  return 0;
}

Result<Device> read_device(int ordinal) {
  cudaDeviceProp properties{};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal); error != cudaSuccess)
    return {status_of(error, "reading a device's properties")};
  const int major = properties.major;
  // From MHz of the memory's clock, two transfers a cycle, and the width of its bus in bits.
  const std::int64_t clock_khz = attribute(cudaDevAttrMemoryClockRate, ordinal);
  return {{},
          {.backend = Backend::cuda,
           .name = short_name(properties.name),
           .arch = fmt::format("sm_{}{}{}", major, properties.minor, major >= 9 ? "a" : ""),
           .ordinal = ordinal,
           .units = properties.multiProcessorCount,
           .lanes = properties.warpSize,
           .max_threads_per_block = properties.maxThreadsPerBlock,
           .max_threads_per_unit = properties.maxThreadsPerMultiProcessor,
           .registers_per_unit = properties.regsPerMultiprocessor,
           .shared_bytes_per_block = static_cast<std::int32_t>(properties.sharedMemPerBlockOptin),
           .shared_bytes_per_unit = static_cast<std::int32_t>(properties.sharedMemPerMultiprocessor),
           .max_cluster_blocks = most_cluster_blocks(ordinal),
           .dependent_launch = major >= 9,
           .cache_bytes = properties.l2CacheSize,
           .bytes_per_second = 2 * clock_khz * 1000 * properties.memoryBusWidth / 8}};
}

Result<std::vector<Device>> read_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    cudaGetLastError();
    return {{Code::no_device, fmt::format("no CUDA device: {}", cudaGetErrorString(error))}};
  }
  std::vector<Device> list;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Result<Device> device = read_device(ordinal);
    if (!device.ok()) return {device.status};
    list.push_back(std::move(device.value));
  }
  return {{}, std::move(list)};
}

}  // namespace

const Result<std::vector<Device>>& devices() {
  static const Result<std::vector<Device>> found = read_devices();
  return found;
}

}  // namespace tamis::cuda
