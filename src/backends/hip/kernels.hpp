// The kernels of this build on AMD, by name, and their functions on a device.
#pragma once

#include <string_view>

#include "backends/hip/library.hpp"

namespace tamis::hip {

// The place of the kernel of that name among them, or -1.
int find_kernel(std::string_view name);

// Loads all kernels on the device, which is current, unless that was done before.
Status load_kernels(const Device& device);

// A kernel on a device that has loaded them.
Function function_of(const Device& device, int kernel);

// Shared memory that the kernel itself declares: a launch asks for the rest alone.
std::int64_t static_shared_bytes(int kernel);

}  // namespace tamis::hip
