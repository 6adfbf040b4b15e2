// Shape x Device -> Plan: checks the numbers, then asks the planner of the device's backend.

#include "check/check.hpp"
#include "plan/gpu.hpp"
#include "plan/plan_data.hpp"

namespace tamis {
namespace {

using detail::PlanData;

Result<Plan> planned(PlanData data) {
  switch (data.device.backend) {
    case Backend::cpu:
      detail::plan_cpu(data);
      break;
    case Backend::cuda:
    case Backend::hip:
    case Backend::emulated:
      detail::plan_gpu(data);
      break;
  }
  return {{}, Plan(std::make_shared<const PlanData>(std::move(data)))};
}

Shape as_shape(const MergeShape& merge) {
  return {.rows = merge.rows,
          .width = merge.lists * merge.capacity,
          .k = merge.k,
          .scores = merge.scores,
          .length_rule = {},
          .ties = merge.ties,
          .order = merge.order,
          .nan = merge.nan};
}

}  // namespace

Result<Plan> plan(const Shape& shape, const Device& device) {
  if (Status status = detail::check(shape); !status.ok()) return {status};
  if (Status status = detail::check(device); !status.ok()) return {status};
  PlanData data;
  data.shape = shape;
  data.device = device;
  return planned(std::move(data));
}

Result<Plan> plan(const MergeShape& shape, const Device& device) {
  if (Status status = detail::check(shape); !status.ok()) return {status};
  if (Status status = detail::check(device); !status.ok()) return {status};
  PlanData data;
  data.work = detail::Work::merge;
  data.shape = as_shape(shape);
  data.merge = shape;
  data.device = device;
  return planned(std::move(data));
}

const Shape& Plan::shape() const {
  static const Shape none;
  return data_ ? data_->shape : none;
}
const Device& Plan::device() const {
  static const Device none;
  return data_ ? data_->device : none;
}
std::string_view Plan::method() const { return data_ ? std::string_view(data_->method) : std::string_view(); }
const std::vector<Launch>& Plan::launches() const {
  static const std::vector<Launch> none;
  return data_ ? data_->launches : none;
}
std::size_t Plan::workspace_bytes() const { return data_ ? data_->workspace_bytes : 0; }
std::string_view Plan::reason() const { return data_ ? std::string_view(data_->reason) : std::string_view(); }

bool operator==(const Plan& a, const Plan& b) {
  if (a.data_ == nullptr || b.data_ == nullptr) return a.data_ == b.data_;
  return *a.data_ == *b.data_;
}

}  // namespace tamis
