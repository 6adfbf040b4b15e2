// Launching a plan: what it says and nothing else.
#pragma once

#include "backends/cuda/status.hpp"
#include "kernels/arguments.hpp"
#include "plan/plan_data.hpp"

namespace tamis::cuda {

// Enqueues the plan's launches on the stream, each as a dependent of what precedes it where the device has that.
Status launch(const detail::PlanData& plan, kernels::Arguments arguments, cudaStream_t stream);

}  // namespace tamis::cuda
