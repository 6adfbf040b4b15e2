// Launching a plan on a GPU: what it says and nothing else, whichever runtime does it. A Runtime is a type with
//   label                                          its name in messages
//   Handle                                         its stream
//   devices()                                      the devices of this machine, asked for once
//   current_device(ordinal&), set_device(ordinal)  of the calling thread, as statuses
//   find_kernel(name)                              the place of a kernel in its table, or -1
//   prepare(device, kernel)                        what must happen once before a kernel's first launch there
//   enqueue(launch, device, kernel, arguments, stream)
#pragma once

#include <fmt/format.h>

#include <vector>

#include "kernels/arguments.hpp"
#include "plan/plan_data.hpp"

namespace tamis::gpu {

// Makes a device current for a while, if it is not.
template <class Runtime>
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) : status_(Runtime::current_device(before_)) {
    if (!status_.ok() || before_ == ordinal) return;
    status_ = Runtime::set_device(ordinal);
    changed_ = status_.ok();
  }
  ~CurrentDevice() {
    if (changed_) (void)Runtime::set_device(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  const Status& status() const { return status_; }

 private:
  int before_ = 0;
  bool changed_ = false;
  Status status_;
};

// The device that a plan was made for must be among those present, or one that has no less.
template <class Runtime>
Status check_present(const Device& wanted) {
  const Result<std::vector<Device>>& present = Runtime::devices();
  if (!present.ok()) return present.status;
  if (wanted.ordinal < 0 || static_cast<std::size_t>(wanted.ordinal) >= present.value.size())
    return {Code::no_device, fmt::format("plan's device has ordinal {}; this machine has {} {} devices", wanted.ordinal,
                                         present.value.size(), Runtime::label)};
  const Device& device = present.value[wanted.ordinal];
  if (wanted.shared_bytes_per_block > device.shared_bytes_per_block ||
      wanted.max_cluster_blocks > device.max_cluster_blocks)
    return {Code::plan_mismatch, fmt::format("plan was made for {}, which has more than device {}, {}", wanted.name,
                                             wanted.ordinal, device.name)};
  return {};
}

template <class Runtime>
Status launch(const detail::PlanData& plan, kernels::Arguments arguments, typename Runtime::Handle stream) {
  if (Status status = check_present<Runtime>(plan.device); !status.ok()) return status;
  const CurrentDevice<Runtime> current(plan.device.ordinal);
  if (!current.status().ok()) return current.status();
  for (const Launch& launch : plan.launches) {
    const int kernel = Runtime::find_kernel(launch.kernel);
    if (kernel < 0) return {Code::plan_mismatch, "plan names a kernel this build lacks: " + launch.kernel};
    if (Status status = Runtime::prepare(plan.device, kernel); !status.ok()) return status;
    arguments.shared_bytes = static_cast<std::int32_t>(launch.shared_bytes);
    if (Status status = Runtime::enqueue(launch, plan.device, kernel, arguments, stream); !status.ok()) return status;
  }
  return {};
}

}  // namespace tamis::gpu
