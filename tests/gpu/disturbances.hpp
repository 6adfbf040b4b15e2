// Kernels that get in the way of a selection.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tamis::testing {

// Keeps `blocks` units busy, each with most of its shared memory, for so many clock cycles.
cudaError_t hold_units(int blocks, long long cycles, cudaStream_t stream);

// Copies, but only after so many clock cycles: a producer that is late, and yet lets a dependent launch start at once.
cudaError_t copy_late(void* to, const void* from, std::size_t bytes, long long cycles, cudaStream_t stream);

// Writes to an address that is none, which leaves an error on the device for good.
cudaError_t fault(cudaStream_t stream);

}  // namespace tamis::testing
