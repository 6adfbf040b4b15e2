// The HIP backend. No ROCm is needed to load it; without a runtime there is no device.

#include "backends/gpu/entry.hpp"
#include "backends/hip/runtime.hpp"

namespace tamis {

const detail::BackendEntry detail::hip_backend = gpu::Entry<hip::Runtime>::of(Backend::hip);

}  // namespace tamis
