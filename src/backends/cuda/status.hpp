// Errors of the CUDA runtime as statuses.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

#include "tamis/tamis.hpp"

namespace tamis::cuda {

// ok, or backend_error saying what was done when the runtime reported `error`.
Status status_of(cudaError_t error, std::string_view doing);

}  // namespace tamis::cuda
