// The library as a caller has it: the plan of the cell's shape, then select. What it launches is the plan's to say.

#include "library.hpp"

#include <map>
#include <stdexcept>
#include <tuple>

namespace tamis::bench {
namespace {

template <class T>
T value_of(Result<T> result) {
  if (!result.ok()) throw std::runtime_error("library: " + result.status.message);
  return result.value;
}

const Plan& plan_of(const Task& task) {
  static std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Plan> plans;
  Plan& plan = plans[{task.rows, task.length, task.k}];
  if (plan.empty()) plan = value_of(tamis::plan(shape_of(task), device()));
  return plan;
}

bool takes(const Task&) { return true; }
std::size_t workspace_bytes(const Task& task) { return plan_of(task).workspace_bytes(); }
std::string kernel(const Task& task) { return plan_of(task).launches().front().kernel; }
void enqueue(const Task& task, cudaStream_t stream) { run(plan_of(task), task, stream); }

}  // namespace

const Device& device() {
  static const Device first = value_of(devices(Backend::cuda)).at(0);
  return first;
}

Shape shape_of(const Task& task) { return {.rows = task.rows, .width = task.length, .k = task.k}; }

void run(const Plan& plan, const Task& task, cudaStream_t stream) {
  Output output;
  output.slots = task.slots;
  output.mapping = Mapping::paged;
  output.page_table = {.entries = task.pages,
                       .tables = task.rows,
                       .columns = task.columns,
                       .stride = task.columns,
                       .page_size = page_size};
  const Status status = select(plan, {.scores = task.scores, .stride = task.stride, .lengths = task.lengths}, output,
                               {task.workspace, task.workspace_bytes}, Stream(stream));
  if (!status.ok()) throw std::runtime_error("library: " + status.message);
}

Method library_method() { return {"library", takes, workspace_bytes, enqueue, kernel}; }

}  // namespace tamis::bench
