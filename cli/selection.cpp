// See selection.hpp.

#include "selection.hpp"

#include <fmt/format.h>

#include "error.hpp"
#include "memory.hpp"

namespace tamis::cli {
namespace {

std::size_t slot_bytes(SlotType type) { return type == SlotType::i64 ? 8 : 4; }

// Does not overflow: see require_room.
std::size_t bytes_of(const Shape& shape, std::size_t bytes) {
  return static_cast<std::size_t>(shape.rows * shape.k) * bytes;
}

// The outputs must fit this machine's memory: as read back, and as written where the device is this machine.
void require_room(const Machine& machine, const Shape& shape, const Wanted& wanted) {
  const std::size_t entry = (wanted.indices ? 4 : 0) + (wanted.slots ? slot_bytes(wanted.slot_type) : 0) +
                            (wanted.scores ? score_bytes(shape.scores) : 0);
  const std::int64_t copies = machine.reads_host_memory() ? 2 : 1;
  require_memory(shape.rows, copies * shape.k * static_cast<std::int64_t>(entry),
                 fmt::format("-k is {}; {} rows of as many outputs", shape.k, shape.rows));
}

// The plan, whose workspace and outputs there is room for.
Plan planned(const Problem& problem, const Machine& machine, const Wanted& wanted) {
  require_room(machine, problem.shape, wanted);
  Result<Plan> plan = tamis::plan(problem.shape, machine.device());
  require(plan.status);
  return std::move(plan.value);
}

template <class T>
T* as(std::vector<std::byte>& bytes) {
  return bytes.empty() ? nullptr : reinterpret_cast<T*>(bytes.data());
}

std::vector<std::byte> read(const std::optional<Buffer>& buffer, std::size_t bytes) {
  std::vector<std::byte> host(buffer ? bytes : 0);
  if (buffer) buffer->read(host);
  return host;
}

}  // namespace

Output Selected::view(const Problem& mapping, SlotType slot_type) {
  return {.indices = as<std::int32_t>(indices),
          .slots = as<std::byte>(slots),
          .slot_type = slot_type,
          .scores = as<std::byte>(scores),
          .counts = as<std::int32_t>(counts),
          .mapping = mapping.mapping,
          .page_table = mapping.page_table,
          .offsets = mapping.offsets};
}

Selection::Selection(const Machine& machine, const Problem& problem, const Wanted& wanted)
    : machine_(machine),
      problem_(problem),
      plan_(planned(problem, machine, wanted)),
      faults_(machine, sizeof(Faults)),
      workspace_(machine, plan_.workspace_bytes()) {
  place_inputs();
  place_outputs(wanted);
}

const void* Selection::placed(const void* host, std::size_t bytes) {
  if (host == nullptr || machine_.reads_host_memory()) return host;
  Buffer& copy = inputs_.emplace_back(machine_, bytes);
  copy.write({static_cast<const std::byte*>(host), bytes});
  return copy.data();
}

const std::int32_t* Selection::placed(const std::int32_t* host, std::int64_t count) {
  const void* data = placed(static_cast<const void*>(host), static_cast<std::size_t>(count) * sizeof *host);
  return static_cast<const std::int32_t*>(data);
}

void* Selection::output(bool asked, std::size_t bytes, std::optional<Buffer>& buffer) {
  return asked ? buffer.emplace(machine_, bytes).data() : nullptr;
}

void Selection::place_inputs() {
  const auto& [shape, rows, mapping, table, offsets] = problem_;
  const std::int64_t requests = (shape.rows + shape.length_rule.next_n - 1) / shape.length_rule.next_n;
  const auto elements = static_cast<std::size_t>(shape.rows * rows.stride);
  rows_ = {.scores = placed(rows.scores, elements * score_bytes(shape.scores)),
           .stride = rows.stride,
           .lengths = placed(rows.lengths, requests),
           .starts = placed(rows.starts, shape.rows)};
  output_.mapping = mapping;
  output_.page_table = table;
  output_.page_table.entries = placed(table.entries, table.tables * table.stride);
  output_.page_table.table_of_row = placed(table.table_of_row, shape.rows);
  output_.page_table.cu_rows = placed(table.cu_rows, table.tables + 1);
  output_.page_table.page_start = placed(table.page_start, shape.rows);
  output_.offsets = placed(offsets, shape.rows);
}

void Selection::place_outputs(const Wanted& wanted) {
  const Shape& shape = problem_.shape;
  output_.slot_type = wanted.slot_type;
  output_.indices = static_cast<std::int32_t*>(output(wanted.indices, bytes_of(shape, 4), indices_));
  output_.slots = output(wanted.slots, bytes_of(shape, slot_bytes(wanted.slot_type)), slots_);
  output_.scores = output(wanted.scores, bytes_of(shape, score_bytes(shape.scores)), scores_);
  output_.counts = static_cast<std::int32_t*>(output(wanted.counts, static_cast<std::size_t>(shape.rows) * 4, counts_));
  output_.faults = static_cast<Faults*>(faults_.data());
  const Faults none;
  faults_.write(std::as_bytes(std::span(&none, 1)));
}

void Selection::run() {
  const Workspace workspace{workspace_.data(), plan_.workspace_bytes()};
  require(tamis::select(plan_, rows_, output_, workspace, machine_.stream()));
  machine_.synchronize();
}

Selected Selection::read() const {
  const Shape& shape = problem_.shape;
  Selected selected{.indices = cli::read(indices_, bytes_of(shape, 4)),
                    .slots = cli::read(slots_, bytes_of(shape, slot_bytes(output_.slot_type))),
                    .scores = cli::read(scores_, bytes_of(shape, score_bytes(shape.scores))),
                    .counts = cli::read(counts_, static_cast<std::size_t>(shape.rows) * 4)};
  faults_.read(std::as_writable_bytes(std::span(&selected.faults, 1)));
  return selected;
}

}  // namespace tamis::cli
