// Shape x Device -> method, launches and workspace, from the device's properties alone.

#include "plan/gpu.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "check/check.hpp"
#include "kernels/catalog.hpp"
#include "kernels/part_lists.hpp"
#include "kernels/word_row.hpp"
#include "plan/gpu_launch.hpp"
#include "plan/gpu_short.hpp"
#include "plan/gpu_stream.hpp"
#include "plan/gpu_wide.hpp"

namespace tamis::detail {
namespace {

using kernels::most_selected;

// --- every position selected: stores ---

bool whole_row_possible(const PlanData& plan) {
  return plan.work == Work::select && plan.shape.width <= plan.shape.k && plan.shape.order != Order::by_score;
}

void fill_whole_row(PlanData& plan) {
  plan.launches = {launch_of(plan, "whole_row", plan.shape.rows, 0)};
  plan.row_reads = 0;
  plan.reason = "width <= k: every position of a row is selected, so rows are only written";
}

// --- a block a row ---

bool block_row_possible(const PlanData& plan) { return plan.work == Work::select; }

void fill_block_row(PlanData& plan) {
  const std::int64_t resident = row_room(plan.shape, 1);
  const std::int64_t sorting = sort_room(plan.shape);
  const std::int64_t room = tail_room(plan, "block_row");
  const bool kept = resident <= room;
  const std::int64_t tail = kept ? std::min(room, resident + sorting) : std::min(room, sorting);
  const bool sorts_on_chip = kept ? resident + sorting <= room : sorting <= room;
  const std::int64_t blocks = sorts_on_chip ? plan.shape.rows : resident_blocks(plan, "block_row");
  plan.launches = {launch_of(plan, "block_row", blocks, tail)};
  plan.workspace_bytes = sorts_on_chip ? 0 : blocks * kernels::sort_bytes(plan.shape);
  plan.row_reads = kept ? 1 : digits(plan.shape) + 1;
  plan.reason = kept ? "a row fits a block's shared memory" : "right for any row; it is read once a digit";
}

// --- a block a row, one pass ---

// Lists of candidates hold what a good guess lets through with room to spare.
std::int64_t candidate_room(const Shape& shape) {
  return std::max<std::int64_t>(4096, 3 * most_selected(shape)) * static_cast<std::int64_t>(sizeof(stages::Candidate));
}

bool filter_row_preferred(const PlanData& plan) {
  const std::int64_t room = tail_room(plan, "filter_row");
  return row_room(plan.shape, 1) > tail_room(plan, "block_row") && plan.shape.width >= 8 * plan.shape.k &&
         candidate_room(plan.shape) + sort_room(plan.shape) <= room;
}

void fill_filter_row(PlanData& plan) {
  const std::int64_t room = tail_room(plan, "filter_row");
  const bool sorts = plan.shape.order != Order::any;
  const std::int64_t sorting = sorts ? kernels::sort_bytes(plan.shape) : 0;
  const std::int64_t tail = std::min(room, candidate_room(plan.shape) + sorting);
  const bool sorts_on_chip = !sorts || sorting + 12 * most_selected(plan.shape) + 16 <= tail;
  const std::int64_t blocks = sorts_on_chip ? plan.shape.rows : resident_blocks(plan, "filter_row");
  plan.launches = {launch_of(plan, "filter_row", blocks, tail)};
  plan.workspace_bytes = sorts_on_chip ? 0 : blocks * kernels::sort_bytes(plan.shape);
  plan.row_reads = 1.03;
  plan.reason = "rows too long for shared memory are read once, above a threshold guessed from a sample";
}

// --- a cluster a row ---

int cluster_size(const PlanData& plan) {
  return plan.device.max_cluster_blocks >= 8 && plan.shape.rows * 8 <= plan.device.units ? 8 : 2;
}

bool cluster_row_possible(const PlanData& plan) {
  return plan.work == Work::select && plan.device.max_cluster_blocks >= 2;
}

bool cluster_row_preferred(const PlanData& plan) {
  const int size = cluster_size(plan);
  return plan.shape.rows * size <= plan.device.units && plan.shape.width >= 8192 * size / 2 &&
         row_room(plan.shape, size) <= tail_room(plan, "cluster_row_8");
}

void fill_cluster_row(PlanData& plan) {
  const int size = cluster_size(plan);
  const std::string kernel = "cluster_row_" + std::to_string(size);
  const std::int64_t room = tail_room(plan, kernel);
  const std::int64_t share = row_room(plan.shape, size);
  const bool kept = share <= room;
  const bool by_score = plan.shape.order == Order::by_score;
  const std::int64_t clusters =
      by_score ? std::clamp<std::int64_t>(plan.device.units / size, 1, plan.shape.rows) : plan.shape.rows;
  plan.launches = {
      launch_of(plan, kernel, clusters * size, std::min(room, std::max(kept ? share : 0, sort_room(plan.shape))))};
  plan.workspace_bytes = by_score ? clusters * kernels::sort_bytes(plan.shape) : 0;
  plan.row_reads = kept ? 1 : digits(plan.shape) + 2;
  plan.reason = "few rows: a cluster of " + std::to_string(size) + " blocks shares each";
}

// --- a block a row, in words of marks ---

// The kernel for the shape's width, and the threads of its block, each of which holds 32 scores.
struct WordShape {
  std::string_view kernel;
  int threads;
};

WordShape word_shape(const Shape& shape) {
  return shape.width <= 8192 ? WordShape{"word_row_8", 256} : WordShape{"word_row_16", 512};
}

bool word_row_possible(const PlanData& plan) {
  const Shape& shape = plan.shape;
  return plan.work == Work::select && shape.scores == ScoreType::f32 && shape.order != Order::by_score &&
         shape.nan == Nan::lowest && shape.width <= 16384 && shape.rows <= most_blocks &&
         kernels::WordRow::tail_bytes(word_shape(shape).threads) <= tail_room(plan, word_shape(shape).kernel);
}

void fill_word_row(PlanData& plan) {
  const WordShape shape = word_shape(plan.shape);
  plan.launches = {launch_of(plan, shape.kernel, plan.shape.rows, kernels::WordRow::tail_bytes(shape.threads))};
  plan.row_reads = 1;
  plan.reason = "many rows that fit a block's shared memory, a thread a word of marks";
}

// --- many blocks a row ---

// As many parts as occupy the device twice, none so short that its list is most of it.
std::int64_t parts_of(const PlanData& plan) {
  const std::int64_t wanted = 2 * plan.device.units / std::max<std::int64_t>(1, plan.shape.rows);
  const std::int64_t useful = plan.shape.width / std::max<std::int64_t>(4096, 2 * most_selected(plan.shape));
  return std::clamp<std::int64_t>(std::min(wanted, useful), 2, kernels::most_parts);
}

bool split_row_preferred(const PlanData& plan) {
  return parts_of(plan) >= 4 && plan.shape.rows * 4 <= plan.device.units && plan.shape.width >= 65536;
}

void fill_split_row(PlanData& plan) {
  const std::int64_t parts = parts_of(plan);
  const std::int64_t finishers = resident_blocks(plan, "split_finish");
  const std::int64_t listing = std::min(plan.shape.rows * parts, most_blocks);
  const std::int64_t tail =
      std::min(tail_room(plan, "split_finish"), 2 * candidate_room(plan.shape) + sort_room(plan.shape));
  plan.parts = static_cast<std::int32_t>(parts);
  plan.launches = {launch_of(plan, "split_row", listing, 0), launch_of(plan, "split_finish", finishers, tail)};
  plan.workspace_bytes = finishers * (sort_room(plan.shape) > 0 ? kernels::sort_bytes(plan.shape) : 0) +
                         kernels::part_counts_bytes(plan.shape, parts) + kernels::part_lists_bytes(plan.shape, parts);
  plan.row_reads = digits(plan.shape);
  plan.reason = "a long row alone: " + std::to_string(parts) + " blocks list its candidates, one selects among them";
}

// --- merge ---

bool merge_possible(const PlanData& plan) { return plan.work == Work::merge; }

void fill_merge(PlanData& plan) {
  const std::int64_t sorting = most_selected(plan.shape) * stages::ranked_bytes + 16;
  const bool on_chip = sorting <= tail_room(plan, "merge");
  const std::int64_t blocks = on_chip ? plan.shape.rows : resident_blocks(plan, "merge");
  plan.launches = {launch_of(plan, "merge", blocks, on_chip ? sorting : 0)};
  plan.workspace_bytes = on_chip ? 0 : blocks * kernels::sort_bytes(plan.shape);
  plan.row_reads = digits(plan.shape) + 1;
  plan.reason = "a block merges the lists of a row";
}

constexpr auto always = [](const PlanData&) { return true; };

constexpr GpuMethod methods[] = {
    {"merge", merge_possible, always, fill_merge},
    {"whole_row", whole_row_possible, always, fill_whole_row},
    {"register_row", register_row_possible, register_row_preferred, fill_register_row},
    {"resident_row", resident_row_possible, resident_row_preferred, fill_resident_row},
    {"word_row", word_row_possible, always, fill_word_row},
    {"stream_row", stream_row_possible, stream_row_preferred, fill_stream_row},
    {"cluster_row", cluster_row_possible, cluster_row_preferred, fill_cluster_row},
    {"split_row", block_row_possible, split_row_preferred, fill_split_row},
    {"filter_row", block_row_possible, filter_row_preferred, fill_filter_row},
    {"block_row", block_row_possible, always, fill_block_row},
};

void fill(PlanData& plan, const GpuMethod& method) {
  plan.method = method.name;
  method.fill(plan);
}

}  // namespace

std::span<const GpuMethod> gpu_methods(const Device& device) {
  return holds_wide_blocks(device) ? wide_methods() : std::span<const GpuMethod>(methods);
}

void plan_gpu(PlanData& plan) {
  const auto chosen = std::ranges::find_if(gpu_methods(plan.device), [&](const GpuMethod& method) {
    return method.possible(plan) && method.preferred(plan);
  });
  fill(plan, *chosen);
}

Result<Plan> plan_with_method(const Shape& shape, const Device& device, std::string_view name) {
  if (Status status = check(shape); !status.ok()) return {status};
  if (Status status = check(device); !status.ok()) return {status};
  PlanData plan;
  plan.shape = shape;
  plan.device = device;
  const std::span<const GpuMethod> available = gpu_methods(device);
  const auto method = std::ranges::find(available, name, &GpuMethod::name);
  if (method == available.end() || !method->possible(plan))
    return {{Code::invalid_argument,
             "method is '" + std::string(name) + "'; it must be possible for the shape and device"}};
  fill(plan, *method);
  return {{}, Plan(std::make_shared<const PlanData>(std::move(plan)))};
}

}  // namespace tamis::detail
