// Numbers that the plans of all GPU methods are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "kernels/catalog.hpp"
#include "kernels/room.hpp"
#include "plan/plan_data.hpp"

namespace tamis::detail {

inline constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();

// The kernel of a method for the shape's score type.
inline const kernels::Instance& instance_of(const PlanData& plan, std::string_view method) {
  return *kernels::find_instance(std::string(method) + "_" + std::string(name(plan.shape.scores)));
}

// Bytes that a block of the method's kernel may have behind its Shared.
inline std::int64_t tail_room(const PlanData& plan, std::string_view method) {
  return std::max<std::int64_t>(0, plan.device.shared_bytes_per_block - instance_of(plan, method).shared_bytes);
}

// A launch of about so many blocks: whole clusters, one at least, no more than a grid may have. Kernels take rows in
// turn, so that any number of blocks will do.
inline Launch launch_of(const PlanData& plan, std::string_view method, std::int64_t blocks, std::int64_t tail) {
  const kernels::Instance& kernel = instance_of(plan, method);
  return {.kernel = std::string(kernel.name),
          .blocks = std::clamp(blocks / kernel.cluster, std::int64_t{1}, most_blocks / kernel.cluster) * kernel.cluster,
          .threads = kernel.threads,
          .cluster = kernel.cluster,
          .shared_bytes = kernel.shared_bytes + tail / 16 * 16};
}

// Blocks that the device holds at once, no more than there are rows: as many as there is workspace for.
inline std::int64_t resident_blocks(const PlanData& plan, std::string_view method) {
  const std::int64_t per_unit = std::max(1, plan.device.max_threads_per_unit / instance_of(plan, method).threads);
  return std::clamp<std::int64_t>(per_unit * plan.device.units, 1, std::max<std::int64_t>(1, plan.shape.rows));
}

// Bytes of one of `shares` equal shares of a row's packs, whatever the row's alignment.
inline std::int64_t row_room(const Shape& shape, int shares) {
  const std::int64_t packs = (shape.width * static_cast<std::int64_t>(score_bytes(shape.scores)) + 15) / 16 + 1;
  return (packs + shares - 1) / shares * 16 + 16;
}

// Bytes in which a row's selected items are sorted by score; none where they are not.
inline std::int64_t sort_room(const Shape& shape) {
  return shape.order == Order::by_score ? kernels::sort_bytes(shape) : 0;
}

// Times a row is read until its threshold is settled, at most.
inline double digits(const Shape& shape) { return shape.scores == ScoreType::f32 ? 3 : 2; }

}  // namespace tamis::detail
