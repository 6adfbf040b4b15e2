#include "backends/cuda/status.hpp"

#include <fmt/format.h>

namespace tamis::cuda {

Status status_of(cudaError_t error, std::string_view doing) {
  if (error == cudaSuccess) return {};
  cudaGetLastError();  // one that is not sticky is reported once, here
  return {Code::backend_error,
          fmt::format("CUDA: {} while {}: {}", cudaGetErrorName(error), doing, cudaGetErrorString(error))};
}

}  // namespace tamis::cuda
