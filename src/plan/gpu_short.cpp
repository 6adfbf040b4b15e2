// Rows that a cluster holds on chip. On a device that was measured the fastest kernel for as many rows of such a width
// is looked up; on any other the narrowest that holds a row, spread as far as the units go.

#include "plan/gpu_short.hpp"

#include <algorithm>

#include "kernels/resident_row.hpp"
#include "kernels/usual_call.hpp"
#include "plan/gpu_launch.hpp"

namespace tamis::detail {
namespace {

// A kernel, the scores that a cluster of its blocks holds, and the blocks of a cluster.
struct ShortShape {
  std::string_view kernel;
  std::int64_t scores;
  std::int32_t cluster;

  bool resident() const { return kernel.starts_with("resident_row"); }
};

constexpr ShortShape shapes[] = {
    {"register_row_1x2", 2304, 1},       {"register_row_8x8", 8192, 8},     {"register_row_4x8", 8192, 4},
    {"register_row_2x8", 8192, 2},       {"register_row_1x8", 8192, 1},     {"register_row_8x16", 16384, 8},
    {"register_row_4x16", 16384, 4},     {"register_row_2x16", 16384, 2},   {"register_row_1x16", 16384, 1},
    {"register_row_8x32", 32768, 8},     {"register_row_4x32", 32768, 4},   {"register_row_2x32", 32768, 2},
    {"register_row_16x64", 65536, 16},   {"register_row_8x64", 65536, 8},   {"register_row_16x128", 131072, 16},
    {"resident_row_1x16", 16384, 1},     {"resident_row_1x32", 32768, 1},   {"resident_row_4x64", 65536, 4},
    {"resident_row_2x64", 65536, 2},     {"resident_row_8x128", 131072, 8}, {"resident_row_4x128", 131072, 4},
    {"resident_row_16x256", 262144, 16},
};

// The fastest kernel measured for up to `rows` rows of up to `width` scores.
struct Measured {
  std::int64_t width;
  std::int64_t rows;
  std::string_view kernel;
};

constexpr Measured measured[] = {
#include "plan/gpu_short_h200.inc"
};

// Hopper's units as the H200 has them; what was measured there is no guide elsewhere.
bool measured_on(const Device& device) {
  return device.arch == "sm_90a" && device.units == 132 && device.max_cluster_blocks >= 16 &&
         device.shared_bytes_per_block >= 227 * 1024;
}

std::int64_t tail_of(const PlanData& plan, const ShortShape& shape) {
  return shape.resident() ? kernels::resident_bytes(instance_of(plan, shape.kernel).threads) : 0;
}

// Kernels that keep a row in shared memory copy it by transactions, which machines with clusters have.
bool fits(const PlanData& plan, const ShortShape& shape) {
  const std::int32_t clusters = plan.device.max_cluster_blocks;
  return shape.scores >= plan.shape.width &&
         instance_of(plan, shape.kernel).threads <= plan.device.max_threads_per_block &&
         shape.cluster <= std::max(1, clusters) && (!shape.resident() || clusters >= 2) &&
         tail_of(plan, shape) <= tail_room(plan, shape.kernel);
}

// The narrowest kernel of a method that holds a row, of those the one with the most blocks a row of which `units` are
// enough for all rows; null where there is none.
const ShortShape* narrowest(const PlanData& plan, std::string_view method, std::int64_t units) {
  const ShortShape* best = nullptr;
  for (const ShortShape& shape : shapes) {
    if (!shape.kernel.starts_with(method) || !fits(plan, shape) || plan.shape.rows * shape.cluster > units) continue;
    if (best == nullptr || shape.scores < best->scores) best = &shape;
  }
  return best;
}

// Half of the units, so that every cluster finds room at once; all of them where rows are too many for that.
const ShortShape* by_rule(const PlanData& plan, std::string_view method) {
  const ShortShape* half = narrowest(plan, method, plan.device.units / 2);
  return half != nullptr ? half : narrowest(plan, method, plan.device.units);
}

const ShortShape* by_measurement(const PlanData& plan) {
  for (const Measured& entry : measured) {
    if (plan.shape.width > entry.width || plan.shape.rows > entry.rows) continue;
    const auto* shape = std::ranges::find(shapes, entry.kernel, &ShortShape::kernel);
    return shape != std::end(shapes) && fits(plan, *shape) ? shape : nullptr;
  }
  return nullptr;
}

// A block finds the few positions of a row that are not selected sooner than blocks agree on a threshold.
const ShortShape* by_what_is_dropped(const PlanData& plan) {
  const bool few = plan.shape.width - plan.shape.k <= kernels::UsualCall::most_dropped;
  return few && fits(plan, shapes[0]) ? &shapes[0] : nullptr;
}

// The kernel of the method that the planner would take; null where it would take another method.
const ShortShape* preferred(const PlanData& plan, std::string_view method) {
  if (const ShortShape* shape = by_what_is_dropped(plan); shape != nullptr)
    return shape->kernel.starts_with(method) ? shape : nullptr;
  if (!measured_on(plan.device)) return by_rule(plan, method);
  const ShortShape* shape = by_measurement(plan);
  return shape != nullptr && shape->kernel.starts_with(method) ? shape : nullptr;
}

bool possible(const PlanData& plan, std::string_view method) {
  const Shape& shape = plan.shape;
  return plan.work == Work::select && shape.scores == ScoreType::f32 && shape.order == Order::any &&
         shape.nan == Nan::lowest && plan.device.lanes == 32 && narrowest(plan, method, most_blocks) != nullptr;
}

void fill(PlanData& plan, std::string_view method) {
  const ShortShape* shape = preferred(plan, method);
  if (shape == nullptr) shape = by_rule(plan, method);
  if (shape == nullptr) shape = narrowest(plan, method, most_blocks);
  plan.launches = {launch_of(plan, shape->kernel, std::max<std::int64_t>(1, plan.shape.rows) * shape->cluster,
                             tail_of(plan, *shape))};
  plan.row_reads = 1;
  if (by_what_is_dropped(plan) == shape) {
    plan.reason = "nearly every position is selected: a block finds the few that are not";
    return;
  }
  plan.reason = std::string(measured_on(plan.device) ? "the fastest measured for such rows: " : "few rows: ") +
                "each is held in the " + (shape->resident() ? "shared memory" : "registers") + " of " +
                std::to_string(shape->cluster) + (shape->cluster == 1 ? " block" : " blocks");
}

}  // namespace

bool register_row_possible(const PlanData& plan) { return possible(plan, "register_row"); }
bool register_row_preferred(const PlanData& plan) { return preferred(plan, "register_row") != nullptr; }
void fill_register_row(PlanData& plan) { fill(plan, "register_row"); }

bool resident_row_possible(const PlanData& plan) { return possible(plan, "resident_row"); }
bool resident_row_preferred(const PlanData& plan) { return preferred(plan, "resident_row") != nullptr; }
void fill_resident_row(PlanData& plan) { fill(plan, "resident_row"); }

}  // namespace tamis::detail
