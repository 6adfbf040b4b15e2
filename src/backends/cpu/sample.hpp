// A guess of the threshold from a sample of the row. Only speed depends on it: refine proves or rejects every guess.
#pragma once

#include "backends/cpu/kernels.hpp"

namespace tamis::detail::cpu {

// A key that somewhat more than n of the scores [begin, length) of the stretch are expected to reach, or any_key where
// a guess would not pay. Different seeds look at different scores. Overwrites the spare arrays of `candidates`.
std::int32_t guess_threshold(const Stretch& stretch, std::int64_t begin, std::int64_t n, std::uint32_t seed,
                             const KeyRule& rule, const Candidates& candidates);

}  // namespace tamis::detail::cpu
