#include "job.hpp"

#include <algorithm>
#include <cstring>

#include "plan/gpu.hpp"

namespace tamis::testing {
namespace {

std::vector<std::byte> bytes_of(const std::vector<std::int32_t>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(std::int32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Result<Plan> planned(const Shape& shape, const std::string& method) {
  return method.empty() ? tamis::plan(shape, *first_device())
                        : detail::plan_with_method(shape, *first_device(), method);
}

std::vector<std::byte> filled(std::size_t bytes) { return std::vector<std::byte>(bytes, std::byte{0xa5}); }

Plan plan_for(const Shape& shape, const std::string& method) {
  Result<Plan> made = planned(shape, method);
  if (!made.ok()) throw std::runtime_error(made.status.message);
  return made.value;
}

}  // namespace

const Device* first_device() {
  static const Result<std::vector<Device>> present = devices(Backend::cuda);
  return present.ok() && !present.value.empty() ? &present.value.front() : nullptr;
}

const detail::Memory& device_memory() { return detail::find_backend(Backend::cuda)->memory; }

std::string method_name(const ::testing::TestParamInfo<std::string>& method) {
  return method.param.empty() ? "planned" : method.param;
}

bool possible(const Case& c, const std::string& method) { return planned(c.shape, method).ok(); }

Case fitted(Case c, const std::string& method) {
  for (const std::int64_t width : {c.shape.width, std::int64_t{16384}})
    for (const Order order : {c.shape.order, Order::any}) {
      Case narrower = c;
      narrower.shape.width = std::min(c.shape.width, width);
      narrower.shape.order = order;
      if (possible(narrower, method)) return narrower;
    }
  throw std::runtime_error(method + " takes no such case");
}

Job::Job(const Case& c, const std::string& method)
    : case_(c),
      inputs_(inputs_of(c)),
      plan_(plan_for(c.shape, method)),
      scores_(device_memory(), inputs_.scores),
      lengths_(device_memory(), bytes_of(inputs_.lengths)),
      pages_(device_memory(), bytes_of(inputs_.entries)),
      indices_(device_memory(), filled(entries() * 4)),
      slots_(device_memory(), filled(entries() * 4)),
      selected_(device_memory(), filled(entries() * score_bytes(c.shape.scores))),
      counts_(device_memory(), filled(static_cast<std::size_t>(c.shape.rows) * 4)),
      workspace_(device_memory(), filled(plan_.workspace_bytes())) {}

Status Job::enqueue(Stream stream) { return enqueue(workspace_, stream); }

Status Job::enqueue(const Buffer& workspace, Stream stream) {
  Output output = inputs_.mapping(case_);
  output.page_table.entries = static_cast<const std::int32_t*>(pages_.data());
  output.indices = static_cast<std::int32_t*>(indices_.data());
  output.slots = slots_.data();
  output.scores = selected_.data();
  output.counts = static_cast<std::int32_t*>(counts_.data());
  const Rows rows{.scores = scores_.data(),
                  .stride = inputs_.stride,
                  .lengths = inputs_.lengths.empty() ? nullptr : static_cast<const std::int32_t*>(lengths_.data())};
  const std::size_t bytes = plan_.workspace_bytes();
  return select(plan_, rows, output, {bytes == 0 ? nullptr : workspace.data(), bytes}, stream);
}

void Job::poison() {
  for (Buffer* buffer : {&indices_, &slots_, &selected_, &counts_}) buffer->write(filled(buffer->size()));
}

void Job::become(const Case& c) {
  case_ = c;
  inputs_ = inputs_of(c);
  scores_.write(inputs_.scores);
  lengths_.write(bytes_of(inputs_.lengths));
  pages_.write(bytes_of(inputs_.entries));
}

std::string Job::wrong() const {
  std::vector<std::byte> indices = indices_.content(), slots = slots_.content(), selected = selected_.content(),
                         counts = counts_.content();
  Output output = inputs_.mapping(case_);
  output.indices = reinterpret_cast<std::int32_t*>(indices.data());
  output.slots = slots.data();
  output.scores = selected.data();
  output.counts = reinterpret_cast<std::int32_t*>(counts.data());
  const Result<Report> report = verify(case_.shape, inputs_.rows(), output);
  if (!report.ok()) return report.status.message;
  return report.value.message;
}

}  // namespace tamis::testing
