// The planner of the GPU backends, and of the emulated one, which runs the same kernels.
#pragma once

#include <span>
#include <string_view>

#include "plan/plan_data.hpp"

namespace tamis::detail {

// A way to select rows. All are right wherever they are possible; which one is fast is the planner's to know.
struct GpuMethod {
  std::string_view name;
  bool (*possible)(const PlanData& plan);   // on the plan's device, for its shape
  bool (*preferred)(const PlanData& plan);  // where it is possible and no method before it is preferred
  void (*fill)(PlanData& plan);             // launches, workspace, reads and reason
};

// The methods for a device, in the order in which they are considered; the last is always possible.
std::span<const GpuMethod> gpu_methods(const Device& device);

void plan_gpu(PlanData& plan);

// For tests: a plan that uses the method named, whatever the shape. Errors: invalid_argument where it is not possible.
Result<Plan> plan_with_method(const Shape& shape, const Device& device, std::string_view method);

}  // namespace tamis::detail
