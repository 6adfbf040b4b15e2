// The streaming method's part of the planner. Its blocks stay: as many as the device holds, and each takes row after
// row.

#include "plan/gpu_stream.hpp"

#include <algorithm>

#include "plan/gpu_launch.hpp"
#include "stages/histogram.hpp"

namespace tamis::detail {
namespace {

struct StreamShape {
  std::string_view kernel;
  std::int64_t blocks_per_unit;
  std::int64_t cluster;
};

constexpr StreamShape alone{"stream_row", 1, 1}, pair{"stream_row_pair", 2, 1}, pair_long{"stream_row_pair_long", 2, 1};

// Several blocks a row, where most of the units would idle.
constexpr StreamShape spread[] = {
    {"stream_row_16", 1, 16}, {"stream_row_8", 1, 8}, {"stream_row_4", 1, 4}, {"stream_row_2", 1, 2}};

// Clusters of `size` blocks, each with a unit to itself, that the device surely holds at once: not every unit finds as
// many beside it as a large one takes. An H200 of 132 units holds 7 of 16 and 15 of 8.
std::int64_t clusters_held(const Device& device, std::int64_t size) {
  return size > device.max_cluster_blocks ? 0 : device.units / size - (size > 4 ? 1 : 0);
}

// Two rows a unit where there are more rows than units. Of long rows twice the sample is drawn, so that fewer lists
// overflow, but where other rows hide that: at 131072 it costs 6 of 42 us at 256 rows and nothing at 1024 (H200).
StreamShape stream_shape(const PlanData& plan) {
  const std::int64_t rows = plan.shape.rows, units = plan.device.units, width = plan.shape.width;
  for (const StreamShape& shape : spread)
    if (rows <= clusters_held(plan.device, shape.cluster)) return shape;
  if (rows <= units) return alone;
  return width >= 262144 || (width >= 131072 && rows <= 4 * units) ? pair_long : pair;
}

}  // namespace

bool stream_row_possible(const PlanData& plan) {
  const Shape& shape = plan.shape;
  return plan.work == Work::select && shape.scores == ScoreType::f32 && shape.order == Order::any &&
         shape.nan == Nan::lowest && shape.k <= stages::bins && plan.device.lanes == 32 &&
         plan.device.max_cluster_blocks >= 2 &&
         instance_of(plan, stream_shape(plan).kernel).shared_bytes <= plan.device.shared_bytes_per_block;
}

// Fewer rows are held on chip, where they fit.
bool stream_row_preferred(const PlanData& plan) {
  const Shape& shape = plan.shape;
  return shape.width > 16384 && shape.width >= 8 * shape.k &&
         (shape.rows * 8 >= plan.device.units || shape.width > 262144);
}

void fill_stream_row(PlanData& plan) {
  const StreamShape shape = stream_shape(plan);
  const std::int64_t most = plan.device.units / shape.cluster * shape.blocks_per_unit;
  const std::int64_t clusters = std::clamp<std::int64_t>(plan.shape.rows, 1, std::max<std::int64_t>(1, most));
  plan.launches = {launch_of(plan, shape.kernel, clusters * shape.cluster, 0)};
  plan.row_reads = 1.05;
  plan.reason = "many long rows stream through shared memory once, above a bound from a sample";
}

}  // namespace tamis::detail
