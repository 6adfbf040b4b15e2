// One case on one machine. Whatever a device may damage is checked: inputs, guards, the workspace's surroundings.

#include "support/runner.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <random>

#include "support/buffer.hpp"
#include "support/gpu_machines.hpp"

namespace tamis::testing {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<std::byte> garbage(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> result(bytes);
  for (std::byte& byte : result) byte = static_cast<std::byte>(random());
  return result;
}

// The arrays of a case in device memory.
class DeviceArrays {
 public:
  DeviceArrays(const detail::Memory& memory, const Case& c, const Inputs& in) : memory_(memory), case_(c), in_(in) {
    rows_ = {
        .scores = input("scores", in.scores, static_cast<std::size_t>(c.misalignment) * score_bytes(c.shape.scores)),
        .stride = in.stride,
        .lengths = numbers("lengths", in.lengths),
        .starts = numbers("starts", in.starts)};
    output_ = in.mapping(c);
    output_.page_table.entries = numbers("page table", in.entries);
    output_.page_table.table_of_row = numbers("table_of_row", in.table_of_row);
    output_.page_table.cu_rows = numbers("cu_rows", in.cu_rows);
    output_.page_table.page_start = numbers("page_start", in.page_start);
    output_.offsets = numbers("offsets", in.offsets);
    add_outputs();
  }

  const Rows& rows() const { return rows_; }
  const Output& output() const { return output_; }

  // What was damaged that should not have been touched.
  std::string damage() const {
    for (const auto& [name, buffer, before] : inputs_)
      if (!buffer->guards_intact() || buffer->content() != before)
        return fmt::format("{}: the input was written to", name);
    for (const auto& buffer : outputs_)
      if (!buffer->guards_intact()) return "written outside an output";
    return {};
  }

  Outputs read() const {
    Outputs result;
    if (output_.indices) result.indices = indices_->content();
    if (output_.slots) result.slots = slots_->content();
    if (output_.scores) result.scores = scores_->content();
    if (output_.counts) result.counts = counts_->content();
    if (output_.faults) std::memcpy(&result.faults, faults_->content().data(), sizeof(Faults));
    return result;
  }

 private:
  struct Input {
    const char* name;
    std::unique_ptr<Buffer> buffer;
    std::vector<std::byte> before;
  };

  void* input(const char* name, std::vector<std::byte> content, std::size_t misalignment = 0) {
    inputs_.push_back({name, std::make_unique<Buffer>(memory_, content, misalignment), std::move(content)});
    return inputs_.back().buffer->data();
  }

  const std::int32_t* numbers(const char* name, const std::vector<std::int32_t>& values) {
    return values.empty() ? nullptr : static_cast<const std::int32_t*>(input(name, bytes_of(values)));
  }

  Buffer* output(std::size_t bytes, std::size_t misalignment) {
    outputs_.push_back(std::make_unique<Buffer>(memory_, std::vector<std::byte>(bytes, poison), misalignment));
    return outputs_.back().get();
  }

  // A matrix [rows, k] whose last row ends with its last entry.
  Buffer* matrix(std::int64_t stride, std::size_t bytes) {
    const std::int64_t rows = case_.shape.rows;
    const std::int64_t entries = rows == 0 ? 0 : (rows - 1) * stride + case_.shape.k;
    return output(static_cast<std::size_t>(entries) * bytes, static_cast<std::size_t>(case_.misalignment) * bytes);
  }

  bool asked_for(unsigned bit) const { return (case_.outputs & bit) != 0; }

  void add_outputs() {
    const Output strides = Outputs().view(case_, in_);
    const std::size_t slot_bytes = case_.slot_type == SlotType::i64 ? 8 : 4;
    output_.indices_stride = strides.indices_stride;
    output_.slots_stride = strides.slots_stride;
    output_.scores_stride = strides.scores_stride;
    if (asked_for(wanted::indices))
      output_.indices = static_cast<std::int32_t*>((indices_ = matrix(strides.indices_stride, 4))->data());
    if (asked_for(wanted::slots)) output_.slots = (slots_ = matrix(strides.slots_stride, slot_bytes))->data();
    if (asked_for(wanted::scores))
      output_.scores = (scores_ = matrix(strides.scores_stride, score_bytes(case_.shape.scores)))->data();
    if (asked_for(wanted::counts))
      output_.counts =
          static_cast<std::int32_t*>((counts_ = output(static_cast<std::size_t>(case_.shape.rows) * 4, 4))->data());
    if (!asked_for(wanted::faults)) return;
    faults_ = output(sizeof(Faults), 0);
    faults_->write(bytes_of(std::vector<Faults>(1)));
    output_.faults = static_cast<Faults*>(faults_->data());
  }

  const detail::Memory& memory_;
  const Case& case_;
  const Inputs& in_;
  std::vector<Input> inputs_;
  std::vector<std::unique_ptr<Buffer>> outputs_;
  Buffer *indices_ = nullptr, *slots_ = nullptr, *scores_ = nullptr, *counts_ = nullptr, *faults_ = nullptr;
  Rows rows_;
  Output output_;
};

std::string judged(const Prepared& prepared, const Outputs& outputs) {
  const Case& c = prepared.c;
  if (c.size() != Size::gpu)
    if (std::string wrong = compare(prepared, outputs); !wrong.empty()) return wrong;
  const Result<Report> report = verify(c.shape, prepared.in.rows(), outputs.view(c, prepared.in));
  if (!report.ok()) return "verify: " + report.status.message;
  return report.value.exact() ? std::string() : "verify: " + report.value.message;
}

}  // namespace

Output Outputs::view(const Case& c, const Inputs& in) const {
  Output view = in.mapping(c);
  const auto pointer = [](const std::vector<std::byte>& bytes) {
    return bytes.empty() ? nullptr : const_cast<std::byte*>(bytes.data());
  };
  view.indices = reinterpret_cast<std::int32_t*>(pointer(indices));
  view.slots = pointer(slots);
  view.scores = pointer(scores);
  view.counts = reinterpret_cast<std::int32_t*>(pointer(counts));
  // Each output has a stride of its own, so that no two can be confused.
  view.indices_stride = c.shape.k + c.output_slack;
  view.slots_stride = c.shape.k + 2 * c.output_slack;
  view.scores_stride = c.shape.k + 3 * c.output_slack;
  return view;
}

Prepared prepare(const Case& c) { return prepare(c, inputs_of(c)); }

Prepared prepare(const Case& c, Inputs in) {
  Prepared prepared{c, std::move(in), {}};
  if (c.size() == Size::gpu) return prepared;
  Output output = prepared.in.mapping(c);
  // Only whether slots are asked for matters to the oracle.
  if ((c.outputs & wanted::slots) != 0) output.slots = &output;
  for (std::int64_t r = 0; r < c.shape.rows; ++r)
    prepared.rankings.push_back(ranking(c.shape, prepared.in.rows(), output, r));
  return prepared;
}

std::string run(const Prepared& prepared, const Machine& given) {
  const Case& c = prepared.c;
  Machine machine = drawn_for(c.sentence + c.name, given);
  if (!plan_on(c.shape, machine).ok()) machine.device.lanes = given.device.lanes;  // a method for one width of a warp
  const detail::BackendEntry* backend = detail::find_backend(machine.device.backend);
  if (backend == nullptr) return "this build has no such backend";
  const Result<Plan> planned = plan_on(c.shape, machine);
  if (!planned.ok()) return "plan: " + planned.status.message;

  const DeviceArrays arrays(backend->memory, c, prepared.in);
  const std::size_t bytes = planned.value.workspace_bytes();
  const Buffer workspace(backend->memory, garbage(bytes, c.seed));
  const Workspace lent{bytes == 0 ? nullptr : workspace.data(), bytes};

  Status status = select(planned.value, arrays.rows(), arrays.output(), lent, machine.stream);
  if (status.ok()) status = backend->synchronize(machine.stream);
  if (!status.ok()) return "select: " + status.message;
  if (std::string wrong = arrays.damage(); !wrong.empty()) return wrong;
  if (!workspace.guards_intact()) return "written outside the workspace";
  return judged(prepared, arrays.read());
}

}  // namespace tamis::testing
