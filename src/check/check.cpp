// Argument checks, one function an argument group. Every message has the form "NAME is VALUE; it must be ...".

#include "check/check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace tamis::detail {
namespace {

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();

template <class Value>
Status invalid(std::string_view argument, const Value& value, std::string_view must) {
  return {Code::invalid_argument, fmt::format("{} is {}; it must be {}", argument, value, must)};
}

Status within(std::string_view argument, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return invalid(argument, value, fmt::format("{} .. {}", low, high));
}

template <class Enum>
Status known(std::string_view argument, Enum value, Enum last) {
  const auto number = static_cast<std::int64_t>(value);
  if (number >= 0 && number <= static_cast<std::int64_t>(last)) return {};
  return invalid(argument, number, fmt::format("an enumerator, 0 .. {}", static_cast<std::int64_t>(last)));
}

Status given(std::string_view argument, const void* pointer) {
  if (pointer != nullptr) return {};
  return invalid(argument, "null", "given");
}

Status aligned(std::string_view argument, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address % bytes == 0) return {};
  return invalid(argument, fmt::format("at address {:#x}", address),
                 fmt::format("aligned to its element, {} bytes", bytes));
}

// rows * stride elements must be addressable, so that no offset overflows.
Status addressable(std::string_view argument, std::int64_t rows, std::int64_t stride, std::size_t bytes) {
  const std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 2 / static_cast<std::int64_t>(bytes);
  if (rows <= 1 || stride <= limit / rows) return {};
  return invalid(argument, stride, fmt::format("small enough that {} rows can be addressed", rows));
}

Status output_stride(std::string_view argument, std::int64_t stride, std::int64_t rows, std::int64_t k,
                     std::size_t bytes) {
  if (stride == 0) return addressable(argument, rows, k, bytes);
  if (stride < k) return invalid(argument, stride, fmt::format("0 (tight) or at least k = {}", k));
  return addressable(argument, rows, stride, bytes);
}

#define TAMIS_RETURN_IF_BAD(expression) \
  if (Status status_ = (expression); !status_.ok()) return status_

Status check_options(ScoreType scores, Ties ties, Order order, Nan nan) {
  TAMIS_RETURN_IF_BAD(known("score type", scores, ScoreType::bf16));
  TAMIS_RETURN_IF_BAD(known("ties", ties, Ties::any));
  TAMIS_RETURN_IF_BAD(known("order", order, Order::by_score));
  TAMIS_RETURN_IF_BAD(known("nan", nan, Nan::highest));
  return {};
}

Status check(std::int64_t rows, const PageTable& table) {
  TAMIS_RETURN_IF_BAD(within("page_size", table.page_size, 1, int32_max));
  TAMIS_RETURN_IF_BAD(within("page table's tables", table.tables, 0, int32_max));
  TAMIS_RETURN_IF_BAD(within("page table's columns", table.columns, 0, int32_max));
  if (rows > 0 && table.tables > 0 && table.columns > 0)
    TAMIS_RETURN_IF_BAD(given("page table's entries", table.entries));
  TAMIS_RETURN_IF_BAD(aligned("page table's entries", table.entries, 4));
  if (table.stride < 0) return invalid("page table's stride", table.stride, "0 (one row for all) or more");
  TAMIS_RETURN_IF_BAD(addressable("page table's stride", table.tables, table.stride, 4));
  TAMIS_RETURN_IF_BAD(aligned("table_of_row", table.table_of_row, 4));
  TAMIS_RETURN_IF_BAD(aligned("cu_rows", table.cu_rows, 4));
  TAMIS_RETURN_IF_BAD(aligned("page_start", table.page_start, 4));
  if (table.table_of_row != nullptr && table.cu_rows != nullptr)
    return {Code::invalid_argument, "table_of_row and cu_rows are both given; at most one of them may be"};
  return {};
}

}  // namespace

Status check(const Shape& shape) {
  TAMIS_RETURN_IF_BAD(within("rows", shape.rows, 0, int32_max));
  TAMIS_RETURN_IF_BAD(within("width", shape.width, 0, int32_max));
  TAMIS_RETURN_IF_BAD(within("k", shape.k, 1, int32_max));
  TAMIS_RETURN_IF_BAD(within("next_n", shape.length_rule.next_n, 1, int32_max));
  TAMIS_RETURN_IF_BAD(within("divisor", shape.length_rule.divisor, 1, int32_max));
  return check_options(shape.scores, shape.ties, shape.order, shape.nan);
}

Status check(const MergeShape& shape) {
  TAMIS_RETURN_IF_BAD(within("rows", shape.rows, 0, int32_max));
  TAMIS_RETURN_IF_BAD(within("lists", shape.lists, 1, int32_max));
  TAMIS_RETURN_IF_BAD(within("capacity", shape.capacity, 1, int32_max));
  if (shape.lists * shape.capacity > int32_max)
    return invalid("lists * capacity", shape.lists * shape.capacity, fmt::format("at most {}", int32_max));
  TAMIS_RETURN_IF_BAD(within("k", shape.k, 1, int32_max));
  return check_options(shape.scores, shape.ties, shape.order, shape.nan);
}

// The threads of a block of the methods that take any shape.
constexpr std::int32_t least_threads = 512;

Status check(const Device& device) {
  TAMIS_RETURN_IF_BAD(known("device.backend", device.backend, Backend::emulated));
  TAMIS_RETURN_IF_BAD(within("device.units", device.units, 1, 1 << 20));
  if (device.backend == Backend::cpu) return {};
  if (device.lanes != 32 && device.lanes != 64) return invalid("device.lanes", device.lanes, "32 or 64");
  TAMIS_RETURN_IF_BAD(within("device.max_threads_per_block", device.max_threads_per_block, least_threads, int32_max));
  TAMIS_RETURN_IF_BAD(within("device.max_threads_per_unit", device.max_threads_per_unit, 1, int32_max));
  TAMIS_RETURN_IF_BAD(within("device.shared_bytes_per_block", device.shared_bytes_per_block, 1, int32_max));
  return within("device.max_cluster_blocks", device.max_cluster_blocks, 0, int32_max);
}

Status check(const Shape& shape, const Rows& rows) {
  if (shape.rows > 0 && shape.width > 0) TAMIS_RETURN_IF_BAD(given("scores", rows.scores));
  TAMIS_RETURN_IF_BAD(aligned("scores", rows.scores, score_bytes(shape.scores)));
  if (rows.stride < 0) return invalid("scores' stride", rows.stride, "0 or more");
  TAMIS_RETURN_IF_BAD(addressable("scores' stride", shape.rows, rows.stride, score_bytes(shape.scores)));
  TAMIS_RETURN_IF_BAD(aligned("lengths", rows.lengths, 4));
  TAMIS_RETURN_IF_BAD(aligned("starts", rows.starts, 4));
  return {};
}

Status check(const MergeShape& shape, const Lists& lists) {
  if (shape.rows > 0) {
    TAMIS_RETURN_IF_BAD(given("lists' scores", lists.scores));
    TAMIS_RETURN_IF_BAD(given("lists' positions", lists.positions));
  }
  TAMIS_RETURN_IF_BAD(aligned("lists' scores", lists.scores, score_bytes(shape.scores)));
  TAMIS_RETURN_IF_BAD(aligned("lists' positions", lists.positions, 4));
  TAMIS_RETURN_IF_BAD(aligned("lists' counts", lists.counts, 4));
  if (lists.row_stride != 0 && lists.row_stride < shape.capacity)
    return invalid("row_stride", lists.row_stride, fmt::format("0 (tight) or at least capacity = {}", shape.capacity));
  if (lists.list_stride < 0) return invalid("list_stride", lists.list_stride, "0 (tight) or more");
  const std::int64_t row_stride = lists.row_stride == 0 ? shape.capacity : lists.row_stride;
  TAMIS_RETURN_IF_BAD(addressable("row_stride", shape.rows, row_stride, 4));
  const std::int64_t list_stride = lists.list_stride == 0 ? shape.rows * row_stride : lists.list_stride;
  return addressable("list_stride", shape.lists, list_stride, 4);
}

Status check(std::int64_t rows, std::int64_t k, ScoreType scores, const Output& output) {
  if (rows > 0 && output.indices == nullptr && output.slots == nullptr && output.scores == nullptr &&
      output.counts == nullptr)
    return {Code::invalid_argument,
            "indices, slots, scores and counts are all null; at least one output must be given"};
  TAMIS_RETURN_IF_BAD(known("slot type", output.slot_type, SlotType::i64));
  TAMIS_RETURN_IF_BAD(known("mapping", output.mapping, Mapping::ragged));
  const std::size_t slot_bytes = output.slot_type == SlotType::i64 ? 8 : 4;
  TAMIS_RETURN_IF_BAD(aligned("indices", output.indices, 4));
  TAMIS_RETURN_IF_BAD(aligned("slots", output.slots, slot_bytes));
  TAMIS_RETURN_IF_BAD(aligned("output scores", output.scores, score_bytes(scores)));
  TAMIS_RETURN_IF_BAD(aligned("counts", output.counts, 4));
  TAMIS_RETURN_IF_BAD(aligned("offsets", output.offsets, 4));
  TAMIS_RETURN_IF_BAD(aligned("faults", output.faults, alignof(Faults)));
  TAMIS_RETURN_IF_BAD(output_stride("indices' stride", output.indices_stride, rows, k, 4));
  TAMIS_RETURN_IF_BAD(output_stride("slots' stride", output.slots_stride, rows, k, slot_bytes));
  TAMIS_RETURN_IF_BAD(output_stride("output scores' stride", output.scores_stride, rows, k, score_bytes(scores)));
  if (output.slots == nullptr) return {};
  if (output.mapping == Mapping::paged) return check(rows, output.page_table);
  if (output.mapping == Mapping::ragged && rows > 0) return given("offsets", output.offsets);
  return {};
}

Status check(Workspace workspace, std::size_t bytes, std::size_t alignment) {
  if (workspace.bytes < bytes)
    return {Code::workspace_too_small,
            fmt::format("workspace is {} bytes; it must be at least {}", workspace.bytes, bytes)};
  if (bytes == 0) return {};
  TAMIS_RETURN_IF_BAD(given("workspace", workspace.data));
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data);
  if (address % alignment != 0)
    return invalid("workspace", fmt::format("at address {:#x}", address),
                   fmt::format("aligned to {} bytes", alignment));
  return {};
}

Output spelled_out(const Output& output, std::int64_t k) {
  Output result = output;
  if (result.indices_stride == 0) result.indices_stride = k;
  if (result.slots_stride == 0) result.slots_stride = k;
  if (result.scores_stride == 0) result.scores_stride = k;
  return result;
}

Lists spelled_out(const Lists& lists, const MergeShape& shape) {
  Lists result = lists;
  if (result.row_stride == 0) result.row_stride = shape.capacity;
  if (result.list_stride == 0) result.list_stride = shape.rows * result.row_stride;
  return result;
}

}  // namespace tamis::detail
