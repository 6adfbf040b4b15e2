// The CPU backend: rows, or parts of rows, dealt out to the workers of the caller's threads.

#include "backends/backend.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "backends/cpu/faults.hpp"
#include "backends/cpu/merge.hpp"
#include "backends/cpu/row.hpp"
#include "backends/cpu/threads.hpp"

namespace tamis::detail {
namespace {

using cpu::Candidates;
using cpu::Scratch;

// Tasks [0, tasks) of one call. Workers take the next one when they are done with one.
template <class Body>
struct Deal {
  std::int64_t tasks;
  const Scratch& scratch;
  const Body& body;
  Faults& total;
  std::atomic<std::int64_t> next{0};
  std::mutex adding{};

  void work(std::int64_t worker) {
    Faults faults;
    const Candidates candidates = scratch.candidates(worker);
    for (std::int64_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;)
      body(task, candidates, faults);
    const std::lock_guard lock(adding);
    cpu::add(total, faults);
  }
};

// Calls body(task, candidates, faults) for every task, on the stream's threads but no more than the plan has room for.
template <class Body>
void deal(std::int64_t tasks, const CpuLayout& layout, const Scratch& scratch, Stream stream, Faults& total,
          const Body& body) {
  Deal<Body> dealt{.tasks = tasks, .scratch = scratch, .body = body, .total = total};
  const std::int64_t workers = std::min(layout.workers, tasks);
  if (stream.handle == nullptr || workers == 1) return dealt.work(0);
  const auto work = [](void* context, std::int64_t worker) { static_cast<Deal<Body>*>(context)->work(worker); };
  static_cast<Threads*>(stream.handle)->pool().run({.run = work, .context = &dealt, .workers = workers});
}

void report(const Output& output, const Faults& faults) {
  if (output.faults != nullptr) cpu::publish(*output.faults, faults);
}

Status select(const PlanData& plan, const Rows& rows, const Output& output, Workspace workspace, Stream stream) {
  const CpuLayout layout = cpu_layout(plan);
  const Scratch scratch(layout, workspace);
  const cpu::SelectCall call{plan.shape, rows, output, layout.parts};
  Faults total;
  const auto whole_row = [&](std::int64_t row, const Candidates& candidates, Faults& faults) {
    cpu::select_row(call, row, candidates, faults);
  };
  const auto part_of_row = [&](std::int64_t task, const Candidates& candidates, Faults&) {
    cpu::select_part(call, task / layout.parts, task % layout.parts, candidates, scratch.list(task));
  };
  const auto finish = [&](std::int64_t row, const Candidates& candidates, Faults& faults) {
    cpu::finish_row(call, row, candidates, scratch, faults);
  };
  if (layout.parts > 1) {
    deal(layout.tasks, layout, scratch, stream, total, part_of_row);
    deal(plan.shape.rows, layout, scratch, stream, total, finish);
  } else {
    deal(plan.shape.rows, layout, scratch, stream, total, whole_row);
  }
  report(output, total);
  return {};
}

Status merge(const PlanData& plan, const Lists& lists, const Output& output, Workspace workspace, Stream stream) {
  const CpuLayout layout = cpu_layout(plan);
  const Scratch scratch(layout, workspace);
  const cpu::MergeCall call{plan, lists, output};
  Faults total;
  deal(plan.shape.rows, layout, scratch, stream, total,
       [&](std::int64_t row, const Candidates& candidates, Faults& faults) {
         cpu::merge_row(call, row, candidates, faults);
       });
  report(output, total);
  return {};
}

Result<std::vector<Device>> devices() {
  const auto threads = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  return {{}, {cpu_device(std::max(threads, 1))}};
}

Status copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return {};
}

}  // namespace

const BackendEntry cpu_backend{
    .id = Backend::cpu,
    .devices = devices,
    .select = select,
    .merge = merge,
    .synchronize = [](Stream) { return Status{}; },
    .memory = {.allocate = [](std::size_t bytes) { return std::malloc(bytes); },
               .release = [](void* data) { std::free(data); },
               .write = copy,
               .read = copy},
};

}  // namespace tamis::detail
