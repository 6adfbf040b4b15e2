// Stable sorting of candidates by one of their numbers: byte-wise counting sort, in the spare arrays.
#pragma once

#include "backends/cpu/candidates.hpp"

namespace tamis::detail::cpu {

// Greatest key first; candidates of equal keys stay in their order.
void sort_best_first(Candidates& candidates);

// Least key first; candidates of equal keys stay in their order.
void sort_least_first(Candidates& candidates);

}  // namespace tamis::detail::cpu
