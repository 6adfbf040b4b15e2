// The GPU kernels on the host: a backend like the others, whose select returns when the work is done. What the emulator
// finds wrong with a kernel, a race for memory or a barrier that not all reach, becomes the call's status.

#include "backends/backend.hpp"

#include <cstdlib>
#include <cstring>

#include "backends/emulated/entry.hpp"
#include "backends/gpu_arguments.hpp"

namespace tamis {
namespace emulated {
namespace {

simt::host::Grid grid_of(const Launch& launch, const Device& device) {
  return {.blocks = static_cast<int>(launch.blocks),
          .threads = launch.threads,
          .lanes = device.lanes,
          .cluster = launch.cluster,
          .shared_bytes = static_cast<std::size_t>(launch.shared_bytes),
          .shared_limit = static_cast<std::size_t>(device.shared_bytes_per_block)};
}

Status run_launch(const Launch& launch, const Device& device, kernels::Arguments arguments,
                  const simt::host::Schedule& schedule) {
  const Entry* entry = find_entry(launch.kernel);
  if (entry == nullptr) return {Code::plan_mismatch, "plan names a kernel this build lacks: " + launch.kernel};
  arguments.shared_bytes = static_cast<std::int32_t>(launch.shared_bytes);
  const simt::host::Report report = entry->run(grid_of(launch, device), arguments, schedule);
  if (!report.ok()) return {Code::backend_error, "emulated kernel " + launch.kernel + ": " + report.problem};
  return {};
}

Status run_plan(const detail::PlanData& plan, const kernels::Arguments& arguments, Stream stream) {
  const simt::host::Schedule schedule = simt::host::schedule_of(reinterpret_cast<std::uintptr_t>(stream.handle));
  for (const Launch& launch : plan.launches)
    if (Status status = run_launch(launch, plan.device, arguments, schedule); !status.ok()) return status;
  return {};
}

Status select(const detail::PlanData& plan, const Rows& rows, const Output& output, Workspace workspace,
              Stream stream) {
  return run_plan(plan, detail::arguments_of(plan, rows, output, workspace), stream);
}

Status merge(const detail::PlanData& plan, const Lists& lists, const Output& output, Workspace workspace,
             Stream stream) {
  return run_plan(plan, detail::arguments_of(plan, lists, output, workspace), stream);
}

void* allocate(std::size_t bytes) { return std::aligned_alloc(256, (bytes + 255) / 256 * 256); }

Status copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return {};
}

}  // namespace

}  // namespace emulated

const detail::BackendEntry detail::emulated_backend{
    .id = Backend::emulated,
    .devices =
        [] {
          return Result<std::vector<Device>>{{}, {emulated_device(32), emulated_device(64)}};
        },
    .select = emulated::select,
    .merge = emulated::merge,
    .synchronize = [](Stream) { return Status{}; },
    .memory = {.allocate = emulated::allocate,
               .release = [](void* data) { std::free(data); },
               .write = emulated::copy,
               .read = emulated::copy},
};

}  // namespace tamis
