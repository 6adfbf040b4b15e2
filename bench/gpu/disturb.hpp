// Small kernels that stand for what surrounds a selection.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "tamis/tamis.hpp"

namespace tamis::bench {

// Rewrites values with themselves, as a producer that the next kernel has to wait for.
void touch(std::int32_t* values, std::int64_t count, cudaStream_t stream);

// f32 scores as bf16 or f16.
void fill_halves(std::uint16_t* halves, const float* scores, std::int64_t count, ScoreType type, cudaStream_t stream);

}  // namespace tamis::bench
