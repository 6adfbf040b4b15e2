// The machines that run the GPU's kernels: the emulator in both widths, under schedules drawn from a case's name or
// counted through, and the CUDA device if there is one. Each method is a machine of its own, so that small rows go
// through the methods for long ones too.

#include "support/gpu_machines.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string_view>

#include "plan/gpu.hpp"

namespace tamis::testing {
namespace {

std::vector<Machine> machines_of(const std::string& name, const Device& device) {
  std::vector<Machine> list{{name, device, Stream()}};
  for (const detail::GpuMethod& method : detail::gpu_methods(device))
    if (!method.name.ends_with("merge"))
      list.push_back({name + "_" + std::string(method.name), device, Stream(), std::string(method.name)});
  return list;
}

// The others have a block, or a cluster, for every row.
bool takes_rows_in_turn(std::string_view method) {
  constexpr std::array methods{"whole_row", "block_row",  "filter_row", "cluster_row",
                               "split_row", "stream_row", "wide_row"};
  return std::ranges::find(methods, method) != methods.end();
}

Plan with_few_blocks(const Plan& planned) {
  if (!takes_rows_in_turn(planned.method())) return planned;
  detail::PlanData few = *planned.data();
  for (Launch& launch : few.launches)
    launch.blocks = std::max<std::int64_t>(1, launch.blocks / launch.cluster / 3) * launch.cluster;
  return Plan(std::make_shared<const detail::PlanData>(std::move(few)));
}

// An AMD device whose kernels the emulator runs: its plans, its width of a wavefront, its shared memory.
Device emulated(std::string_view name) {
  Device device = known_device(name).value;
  device.backend = Backend::emulated;
  return device;
}

// One for each limit of shared memory, and the one whose wavefronts have 32 lanes.
constexpr std::array amd_devices{"mi300x", "mi355x", "mi455x"};

// The methods of NVIDIA's devices and those of AMD's, in one width of a warp. `_wide` is AMD's planner's choice.
std::vector<Machine> machines_in_width(int lanes) {
  const std::string name = "emulated_" + std::to_string(lanes);
  std::vector<Machine> list = machines_of(name, emulated_device(lanes));
  for (Machine& machine : machines_of(name, emulated(lanes == 32 ? "mi455x" : "mi300x"))) {
    if (machine.method.empty()) machine.name += "_wide";
    list.push_back(std::move(machine));
  }
  return list;
}

}  // namespace

void add_gpu_machines(std::vector<Machine>& list) {
  for (Machine& machine : machines_of("emulated", emulated_device(32))) {
    machine.schedules = Schedules::drawn;
    list.push_back(std::move(machine));
  }
  for (const char* name : amd_devices)
    for (Machine& machine : machines_of(name, emulated(name))) {
      machine.schedules = Schedules::drawn_in_width;
      list.push_back(std::move(machine));
    }
  for (const Backend backend : {Backend::cuda, Backend::hip}) {
    const Result<std::vector<Device>> present = devices(backend);
    if (!present.ok() || present.value.empty()) continue;
    for (Machine& machine : machines_of(std::string(tamis::name(backend)), present.value.front()))
      list.push_back(std::move(machine));
  }
}

std::vector<Machine> scheduled_machines(std::uint64_t first, std::uint64_t last) {
  std::vector<Machine> list;
  for (std::uint64_t seed = first; seed <= last; ++seed)
    for (int lanes : {32, 64})
      for (Machine& machine : machines_in_width(lanes)) {
        machine.name += "_seed_" + std::to_string(seed);
        machine.stream = emulated_stream(seed);
        machine.blocks = seed % 2 == 0 ? Blocks::planned : Blocks::few;
        list.push_back(std::move(machine));
      }
  return list;
}

Result<Plan> plan_on(const Shape& shape, const Machine& machine) {
  Result<Plan> made = machine.method.empty() ? plan(shape, machine.device)
                                             : detail::plan_with_method(shape, machine.device, machine.method);
  if (made.ok() && machine.blocks == Blocks::few) made.value = with_few_blocks(made.value);
  return made;
}

Machine drawn_for(const std::string& name, Machine machine) {
  if (machine.schedules == Schedules::one) return machine;
  const std::uint64_t hash = std::hash<std::string>{}(name + machine.method);
  if (machine.schedules == Schedules::drawn) machine.device.lanes = hash % 2 == 0 ? 32 : 64;
  machine.stream = emulated_stream(hash / 2 % 1000);
  machine.blocks = hash / 2000 % 2 == 0 ? Blocks::planned : Blocks::few;
  return machine;
}

}  // namespace tamis::testing
