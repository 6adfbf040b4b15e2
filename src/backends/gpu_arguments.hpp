// From a call of the public API to what kernels are launched with: the same on every GPU backend.
#pragma once

#include "kernels/arguments.hpp"
#include "plan/plan_data.hpp"

namespace tamis::detail {

inline kernels::Arguments arguments_of(const PlanData& plan, const Output& output, Workspace workspace) {
  return {.shape = plan.shape,
          .output = output,
          .list_count = static_cast<std::int32_t>(plan.merge.lists),
          .list_capacity = static_cast<std::int32_t>(plan.merge.capacity),
          .parts = plan.parts,
          .workspace = static_cast<std::byte*>(workspace.data),
          .workspace_bytes = static_cast<std::int64_t>(plan.workspace_bytes)};
}

inline kernels::Arguments arguments_of(const PlanData& plan, const Rows& rows, const Output& output,
                                       Workspace workspace) {
  kernels::Arguments arguments = arguments_of(plan, output, workspace);
  arguments.rows = rows;
  arguments.usual = kernels::usual_call_of(plan.shape, rows, output);
  return arguments;
}

inline kernels::Arguments arguments_of(const PlanData& plan, const Lists& lists, const Output& output,
                                       Workspace workspace) {
  kernels::Arguments arguments = arguments_of(plan, output, workspace);
  arguments.lists = lists;
  return arguments;
}

}  // namespace tamis::detail
