#include "backends/cuda/launch.hpp"

#include <atomic>
#include <memory>

#include "backends/cuda/current_device.hpp"
#include "backends/cuda/devices.hpp"
#include "backends/cuda/entries.hpp"

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

cudaError_t enqueue(const Launch& launch, const Device& device, int entry, kernels::Arguments& arguments,
                    cudaStream_t stream) {
  Attributes attributes(launch, device);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  config.blockDim = dim3(static_cast<unsigned>(launch.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(launch.shared_bytes);
  config.stream = stream;
  config.attrs = attributes.list;
  config.numAttrs = attributes.count;
  arguments.shared_bytes = static_cast<std::int32_t>(launch.shared_bytes);
  void* parameters[] = {&arguments};
  return cudaLaunchKernelExC(&config, entries()[entry].function, parameters);
}

// The device that the plan was made for must be on this machine.
Status check_present(const Device& wanted) {
  const Result<std::vector<Device>>& present = devices();
  if (!present.ok()) return present.status;
  if (wanted.ordinal < 0 || static_cast<std::size_t>(wanted.ordinal) >= present.value.size())
    return {Code::no_device, "plan's device has ordinal " + std::to_string(wanted.ordinal) + "; this machine has " +
                                 std::to_string(present.value.size()) + " CUDA devices"};
  const Device& device = present.value[wanted.ordinal];
  if (wanted.shared_bytes_per_block > device.shared_bytes_per_block ||
      wanted.max_cluster_blocks > device.max_cluster_blocks)
    return {Code::plan_mismatch, "plan was made for " + wanted.name + ", which has more than device " +
                                     std::to_string(wanted.ordinal) + ", " + device.name};
  return {};
}

}  // namespace

Status launch(const detail::PlanData& plan, kernels::Arguments arguments, cudaStream_t stream) {
  if (Status status = check_present(plan.device); !status.ok()) return status;
  const CurrentDevice current(plan.device.ordinal);
  if (Status status = status_of(current.error(), "choosing the device"); !status.ok()) return status;
  for (const Launch& launch : plan.launches) {
    const int entry = find_entry(launch.kernel);
    if (entry < 0) return {Code::plan_mismatch, "plan names a kernel this build lacks: " + launch.kernel};
    if (Status status = status_of(opt_ins().opt_in(plan.device, entry), "preparing a kernel"); !status.ok())
      return status;
    if (Status status = status_of(enqueue(launch, plan.device, entry, arguments, stream), "launching a kernel");
        !status.ok())
      return status;
  }
  return {};
}

}  // namespace tamis::cuda
