// The planner's part for AMD: methods whose blocks of 1024 threads a unit holds two of.
#pragma once

#include <span>

#include "plan/gpu.hpp"

namespace tamis::detail {

// Whether a unit has the registers of two blocks of 1024 threads with 64 registers each. NVIDIA's have half of that.
bool holds_wide_blocks(const Device& device);

// Their methods, the last of which is always possible.
std::span<const GpuMethod> wide_methods();

// Blocks of a launch that a unit of such a device holds at once: by threads, registers and shared memory.
std::int64_t blocks_a_unit(const Device& device, const Launch& launch);

}  // namespace tamis::detail
