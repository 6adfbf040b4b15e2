// Step 2: from a window to its n best, as candidates in ascending position.
#pragma once

#include "backends/cpu/kernels.hpp"

namespace tamis::detail::cpu {

// Leaves exactly the n best of the stretch in `candidates`, n <= stretch.length: every score is read once, a few twice
// where the sample misled.
void select_best(const Stretch& stretch, std::int64_t n, const KeyRule& rule, Candidates& candidates);

// Leaves the n best candidates, of equal ones the first, and returns the least key among them. n <= candidates.count.
std::int32_t settle(Candidates& candidates, std::int64_t n);

}  // namespace tamis::detail::cpu
