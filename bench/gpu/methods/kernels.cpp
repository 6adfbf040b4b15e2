// Single kernels, launched as their method's plan would launch them: what the planner's tables are fitted from.

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "kernels/resident_row.hpp"
#include "kernels/word_row.hpp"
#include "library.hpp"
#include "plan/gpu_launch.hpp"

namespace tamis::bench {
namespace {

using detail::PlanData;

// Bytes behind the kernel's Shared.
std::int64_t tail_of(std::string_view kernel, int threads) {
  if (kernel.starts_with("resident_row")) return kernels::resident_bytes(threads);
  if (kernel.starts_with("word_row")) return kernels::WordRow::tail_bytes(threads);
  return 0;
}

// Blocks of the streaming method stay; any other kernel has a cluster a row.
std::int64_t clusters_of(const kernels::Instance& kernel, const PlanData& plan) {
  const std::int64_t rows = plan.shape.rows;
  if (!kernel.name.starts_with("stream_row")) return rows;
  return std::min<std::int64_t>(rows, plan.device.units / kernel.cluster * kernel.blocks_per_unit);
}

Plan plan_of(std::string_view name, const Task& task) {
  PlanData plan;
  plan.shape = shape_of(task);
  plan.device = device();
  plan.method = name;
  const kernels::Instance& kernel = detail::instance_of(plan, name);
  plan.launches = {
      detail::launch_of(plan, name, clusters_of(kernel, plan) * kernel.cluster, tail_of(name, kernel.threads))};
  return Plan(std::make_shared<const PlanData>(std::move(plan)));
}

// Scores that a cluster of its blocks holds, in 1024 of them: the last number of the name.
std::int64_t room_of(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  return std::max<std::int64_t>(2304, 1024 * std::stoll(std::string(name.substr(digits))));
}

Method method_of(std::string_view name) {
  const bool streams = name.starts_with("stream_row");
  return {std::string(name),
          [=](const Task& task) { return streams ? task.length > 16384 : task.length <= room_of(name); },
          [](const Task&) { return std::size_t{0}; },
          [=](const Task& task, cudaStream_t stream) { run(plan_of(name, task), task, stream); }};
}

}  // namespace

std::vector<Method> kernel_methods() {
  std::vector<Method> list;
  for (const kernels::Instance& kernel : kernels::instances()) {
    const std::string_view name = kernel.name.substr(0, kernel.name.rfind('_'));
    const bool apart = name.starts_with("register_row") || name.starts_with("resident_row") ||
                       name.starts_with("word_row") || name.starts_with("stream_row");
    if (apart && kernel.name.ends_with("_f32")) list.push_back(method_of(name));
  }
  return list;
}

}  // namespace tamis::bench
