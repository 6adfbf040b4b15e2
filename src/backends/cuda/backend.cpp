// The CUDA backend. No driver is needed to load it; without one there is no device.

#include "backends/cuda/runtime.hpp"
#include "backends/gpu/entry.hpp"

namespace tamis {

const detail::BackendEntry detail::cuda_backend = gpu::Entry<cuda::Runtime>::of(Backend::cuda);

}  // namespace tamis
