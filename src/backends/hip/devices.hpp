// The GPUs of this machine, asked for once.
#pragma once

#include <vector>

#include "backends/hip/library.hpp"

namespace tamis::hip {

// Every device that the runtime has, in its order; no_device where there is no runtime, no GPU or none that is
// supported. A device of an architecture that this build has no kernels for is in the list too: plans may be made for
// it, and a launch says what it lacks.
const Result<std::vector<Device>>& devices();

}  // namespace tamis::hip
