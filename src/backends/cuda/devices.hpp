// The GPUs of this machine, asked for once.
#pragma once

#include <vector>

#include "backends/cuda/status.hpp"

namespace tamis::cuda {

// Every device that the runtime has, in its order; no_device where there is no driver, no GPU or none that is
// supported.
const Result<std::vector<Device>>& devices();

}  // namespace tamis::cuda
