// Score patterns made on the device: what indexers produce, and what has broken or slowed selectors.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tamis::bench {

// Every pattern's name, in a fixed order.
std::vector<std::string> score_patterns();

// Fills [rows, length] at `scores` (rows `stride` apart) with the pattern. Equal arguments give equal bits. Throws
// std::invalid_argument on an unknown pattern.
void generate_scores(const std::string& pattern, std::uint64_t seed, float* scores, std::int64_t rows,
                     std::int64_t length, std::int64_t stride, cudaStream_t stream);

}  // namespace tamis::bench
