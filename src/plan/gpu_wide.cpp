// A block of 1024 threads hides its own latency: 16 wavefronts instead of 8 made the ROCm kernels that tamis
// follows 1.07 to 1.60 times faster, and room for more than one block a unit, by less shared memory, 2.3 times. So
// shared memory is planned in halves of a unit's. None of this was measured with these kernels.

#include "plan/gpu_wide.hpp"

#include <algorithm>
#include <string>

#include "kernels/wide/sample.hpp"
#include "kernels/wide/split_room.hpp"
#include "plan/gpu_launch.hpp"

namespace tamis::detail {
namespace {

using kernels::most_selected;

constexpr std::int64_t wide_threads = 1024;
constexpr std::int64_t wide_registers = 64;  // a thread; tests/hip holds every code object to it

// The packet that launches a kernel counts the threads of the grid in 32 bits.
constexpr std::int64_t most_wide_blocks = (std::int64_t{1} << 32) / wide_threads - 1;

// Bytes behind Shared that a block may have when a unit is to hold `blocks`.
std::int64_t room_of(const PlanData& plan, std::string_view kernel, int blocks) {
  const std::int64_t share = plan.device.shared_bytes_per_unit / blocks;
  const std::int64_t most = std::min<std::int64_t>(share, plan.device.shared_bytes_per_block);
  return std::max<std::int64_t>(0, most - instance_of(plan, kernel).shared_bytes) / 16 * 16;
}

Launch wide_launch(const PlanData& plan, std::string_view kernel, std::int64_t blocks, std::int64_t tail) {
  return launch_of(plan, kernel, std::min(blocks, most_wide_blocks), tail);
}

// One score in so many is sampled to list what a row selects in `tail` bytes; 0: it cannot be listed there.
int sample_stride(const Shape& shape, std::int64_t tail) {
  return kernels::wide::stride_for(static_cast<int>(shape.width), static_cast<int>(most_selected(shape)),
                                   static_cast<std::uint32_t>(tail / sizeof(stages::Candidate)));
}

// --- a block a row ---

bool selects(const PlanData& plan) { return plan.work == Work::select; }

// How a wide block reads its rows.
struct Reading {
  std::int64_t tail;
  double reads;
  std::string reason;
};

Reading reading_of(const PlanData& plan) {
  const Shape& shape = plan.shape;
  const std::int64_t half = room_of(plan, "wide_row", 2), whole = room_of(plan, "wide_row", 1);
  if (shape.width <= shape.k && shape.order != Order::by_score) return {0, 0, "width <= k: rows are only written"};
  const std::int64_t kept = row_room(shape, 1);
  if (kept <= half)
    return {std::min(half, std::max(kept, sort_room(shape))), 1, "a row fits half of a unit's shared memory"};
  for (const std::int64_t tail : {half, whole})
    if (const int stride = sample_stride(shape, tail); stride > 0)
      return {tail, 1 + 1.0 / stride, "rows are read once, above a bound from one score in " + std::to_string(stride)};
  if (kept <= whole) return {whole, 1, "a row fits a unit's shared memory"};
  return {half, digits(shape) + 1, "too many are selected to be listed on chip: a row is read once a digit"};
}

// Positions wait in the workspace, and are sorted there, where they do not fit on chip.
bool needs_room(const Shape& shape, std::int64_t tail) {
  const bool sorted_there = shape.order != Order::any && most_selected(shape) * 8 > tail;
  return !kernels::wide::picks_on_chip(shape) || sorted_there;
}

void fill_wide_row(PlanData& plan) {
  const Reading reading = reading_of(plan);
  const bool room = needs_room(plan.shape, reading.tail);
  const std::int64_t blocks = room ? resident_blocks(plan, "wide_row") : plan.shape.rows;
  plan.launches = {wide_launch(plan, "wide_row", blocks, reading.tail)};
  plan.workspace_bytes = room ? plan.launches[0].blocks * kernels::wide::room_bytes(plan.shape) : 0;
  plan.row_reads = reading.reads;
  plan.reason = reading.reason;
}

// --- many blocks a row ---

// The length from which the ROCm kernels that tamis follows split a row, and into how many parts at most.
constexpr std::int64_t split_width = 65536;
constexpr std::int64_t usual_parts = 32;
constexpr std::int64_t least_part = 4096;  // scores: four a thread

std::int64_t parts_of(const PlanData& plan) {
  const std::int64_t idle = plan.device.units / std::max<std::int64_t>(1, plan.shape.rows);
  return std::clamp<std::int64_t>(std::min(idle, plan.shape.width / least_part), 1, usual_parts);
}

std::int64_t split_tail(const PlanData& plan) {
  return kernels::wide::split_capacity(plan.shape) * static_cast<std::int64_t>(sizeof(stages::Candidate));
}

bool wide_split_possible(const PlanData& plan) {
  return plan.work == Work::select && plan.shape.rows <= plan.device.units && most_selected(plan.shape) < (1 << 20) &&
         split_tail(plan) <= room_of(plan, "wide_split", 1);
}

bool wide_split_preferred(const PlanData& plan) {
  return plan.shape.width >= split_width && plan.shape.rows * 4 <= plan.device.units &&
         sample_stride(plan.shape, split_tail(plan)) > 0;
}

void fill_wide_split(PlanData& plan) {
  const std::int64_t rows = std::max<std::int64_t>(1, plan.shape.rows), parts = parts_of(plan);
  const int stride = sample_stride(plan.shape, split_tail(plan));
  plan.parts = static_cast<std::int32_t>(parts);
  plan.launches = {wide_launch(plan, "wide_bound", rows, 0),
                   wide_launch(plan, "wide_split", rows * parts, split_tail(plan))};
  plan.workspace_bytes = static_cast<std::size_t>(kernels::wide::split_bytes(plan.shape));
  plan.row_reads = stride > 0 ? 1 + 1.0 / stride : digits(plan.shape) + 1;
  plan.reason = "few long rows: " + std::to_string(parts) +
                " blocks list what of a row reaches a bound, and the last to arrive selects";
}

// --- merge ---

bool merges(const PlanData& plan) { return plan.work == Work::merge; }

void fill_wide_merge(PlanData& plan) {
  const std::int64_t sorting = (most_selected(plan.shape) * stages::ranked_bytes + 15) / 16 * 16;
  const bool on_chip = sorting <= room_of(plan, "wide_merge", 1);
  const std::int64_t blocks = on_chip ? plan.shape.rows : resident_blocks(plan, "wide_merge");
  plan.launches = {wide_launch(plan, "wide_merge", blocks, on_chip ? sorting : 0)};
  plan.workspace_bytes = on_chip ? 0 : plan.launches[0].blocks * kernels::sort_bytes(plan.shape);
  plan.row_reads = digits(plan.shape) + 1;
  plan.reason = "a block merges the lists of a row";
}

constexpr auto always = [](const PlanData&) { return true; };

constexpr GpuMethod methods[] = {
    {"wide_merge", merges, always, fill_wide_merge},
    {"wide_split", wide_split_possible, wide_split_preferred, fill_wide_split},
    {"wide_row", selects, always, fill_wide_row},
};

}  // namespace

bool holds_wide_blocks(const Device& device) {
  return device.max_threads_per_block >= wide_threads &&
         device.registers_per_unit >= 2 * wide_threads * wide_registers &&
         device.max_threads_per_unit >= 2 * wide_threads;
}

std::span<const GpuMethod> wide_methods() { return methods; }

std::int64_t blocks_a_unit(const Device& device, const Launch& launch) {
  const std::int64_t by_threads = device.max_threads_per_unit / launch.threads;
  const std::int64_t by_registers = device.registers_per_unit / (launch.threads * wide_registers);
  const std::int64_t by_shared =
      launch.shared_bytes == 0 ? by_threads : device.shared_bytes_per_unit / launch.shared_bytes;
  return std::min({by_threads, by_registers, by_shared});
}

}  // namespace tamis::detail
