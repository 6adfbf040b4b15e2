// select and merge: check the arguments, then hand over to the plan's backend.

#include "backends/backend.hpp"
#include "check/check.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

using detail::PlanData;
using detail::Work;

Status usable(const Plan& plan, Work work) {
  if (plan.empty()) return {Code::plan_mismatch, "plan is empty; it must come from a successful tamis::plan"};
  if (plan.data()->work != work)
    return {Code::plan_mismatch, work == Work::select
                                     ? "plan was made for merge; select needs one made from a Shape"
                                     : "plan was made for select; merge needs one made from a MergeShape"};
  return {};
}

Status check(Workspace workspace, const PlanData& plan) {
  const std::size_t alignment = plan.device.backend == Backend::cpu ? 1 : 256;
  return detail::check(workspace, plan.workspace_bytes, alignment);
}

Status missing(const PlanData& plan) {
  return {Code::no_device, "this build has no " + std::string(name(plan.device.backend)) +
                               " backend; plan was made for device " + plan.device.name};
}

}  // namespace

Status select(const Plan& plan, const Rows& rows, const Output& output, Workspace workspace, Stream stream) {
  if (Status status = usable(plan, Work::select); !status.ok()) return status;
  const PlanData& data = *plan.data();
  if (Status status = detail::check(data.shape, rows); !status.ok()) return status;
  if (Status status = detail::check(data.shape.rows, data.shape.k, data.shape.scores, output); !status.ok())
    return status;
  if (Status status = check(workspace, data); !status.ok()) return status;
  const detail::BackendEntry* backend = detail::find_backend(data.device.backend);
  if (backend == nullptr) return missing(data);
  if (data.shape.rows == 0) return {};
  return backend->select(data, rows, detail::spelled_out(output, data.shape.k), workspace, stream);
}

Status merge(const Plan& plan, const Lists& lists, const Output& output, Workspace workspace, Stream stream) {
  if (Status status = usable(plan, Work::merge); !status.ok()) return status;
  const PlanData& data = *plan.data();
  if (Status status = detail::check(data.merge, lists); !status.ok()) return status;
  if (Status status = detail::check(data.shape.rows, data.shape.k, data.shape.scores, output); !status.ok())
    return status;
  if (Status status = check(workspace, data); !status.ok()) return status;
  const detail::BackendEntry* backend = detail::find_backend(data.device.backend);
  if (backend == nullptr) return missing(data);
  if (data.shape.rows == 0) return {};
  return backend->merge(data, detail::spelled_out(lists, data.merge), detail::spelled_out(output, data.shape.k),
                        workspace, stream);
}

}  // namespace tamis
