// Plans for the CPU backend: rows over workers, or parts of rows where there are fewer rows than workers.

#include "plan/cpu.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tamis::detail {
namespace {

constexpr std::size_t alignment = 64;

// Buffers are settled when full, at a cost that grows with their size: this much more than what is kept makes the cost
// small against reading that many scores, and leaves both arrays in a 2 MB level-2 cache at the usual k.
constexpr std::int64_t headroom = 4096;
constexpr std::int64_t slack = 1024 + 64;  // one filter block and one vector

std::size_t aligned(std::int64_t entries) {
  return (static_cast<std::size_t>(entries) * sizeof(std::int32_t) + alignment - 1) / alignment * alignment;
}

std::int64_t parts_of_row(const PlanData& plan) {
  if (plan.work == Work::merge || plan.shape.k >= plan.shape.width) return 1;
  const std::int64_t idle = plan.device.units / std::max<std::int64_t>(plan.shape.rows, 1);
  return std::clamp<std::int64_t>(idle, 1, std::max<std::int64_t>(plan.shape.width / least_part, 1));
}

// Rows that are selected whole are copied, not searched; only sorting them takes a buffer.
bool needs_buffer(const PlanData& plan) {
  return plan.work == Work::merge || plan.shape.k < plan.shape.width || plan.shape.order == Order::by_score;
}

std::string_view method_of(const PlanData& plan, const CpuLayout& layout) {
  if (plan.work == Work::merge) return "cpu_merge";
  if (plan.shape.k >= plan.shape.width) return "cpu_whole";
  return layout.parts > 1 ? "cpu_split" : "cpu_filter";
}

std::string reason_of(const PlanData& plan, const CpuLayout& layout) {
  if (plan.work == Work::merge)
    return "candidates are filtered against a running threshold, one row a task, and ties settled by global position";
  if (plan.shape.k >= plan.shape.width)
    return fmt::format("k {} takes every row whole, so no score decides", plan.shape.k);
  if (layout.parts > 1)
    return fmt::format(
        "{} rows leave some of {} workers idle, so each row is filtered in {} parts and their selections merged",
        plan.shape.rows, plan.device.units, layout.parts);
  return "each row is read once against a threshold estimated from a sample, and the survivors are refined exactly";
}

}  // namespace

std::size_t CpuLayout::worker_bytes() const { return capacity == 0 ? 0 : 4 * aligned(capacity + slack); }
std::size_t CpuLayout::list_bytes() const { return parts > 1 ? alignment + 2 * aligned(kept) : 0; }
std::size_t CpuLayout::workspace_bytes() const {
  const std::size_t bytes =
      static_cast<std::size_t>(workers) * worker_bytes() + static_cast<std::size_t>(tasks) * list_bytes();
  return bytes == 0 ? 0 : bytes + alignment;
}

CpuLayout cpu_layout(const PlanData& plan) {
  CpuLayout layout{};
  layout.parts = parts_of_row(plan);
  layout.tasks = plan.shape.rows * layout.parts;
  layout.workers = std::min<std::int64_t>(layout.tasks, plan.device.units);
  layout.kept = std::min(plan.shape.k, plan.shape.width);
  layout.capacity = needs_buffer(plan) ? std::min(2 * layout.kept + headroom, plan.shape.width) : 0;
  return layout;
}

void plan_cpu(PlanData& plan) {
  const CpuLayout layout = cpu_layout(plan);
  plan.method = method_of(plan, layout);
  plan.reason = reason_of(plan, layout);
  plan.launches = {{.kernel = plan.method, .blocks = layout.tasks, .threads = 1}};
  plan.workspace_bytes = layout.workspace_bytes();
  plan.row_reads = needs_buffer(plan) ? 1 : 0;
}

}  // namespace tamis::detail
