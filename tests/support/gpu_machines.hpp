// Machines that run the GPU's kernels, and how a case is put on one.
#pragma once

#include <cstdint>
#include <vector>

#include "support/runner.hpp"

namespace tamis::testing {

// Appends the emulator and the CUDA device, if there is one: the planner's choice, then every method.
void add_gpu_machines(std::vector<Machine>& list);

// The emulator in both widths under the schedules of the seeds `first` to `last`, every second with few blocks.
std::vector<Machine> scheduled_machines(std::uint64_t first, std::uint64_t last);

// The plan of a machine: its method's, or the planner's choice. Not ok where the method is not possible for the shape.
Result<Plan> plan_on(const Shape& shape, const Machine& machine);

// The machine for the case of that name: where schedules are drawn, with lanes, seed and blocks drawn.
Machine drawn_for(const std::string& name, Machine machine);

}  // namespace tamis::testing
