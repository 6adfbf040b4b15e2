// Merging candidate lists of several shards: the same filter over each list, ties settled by global position.
#pragma once

#include "backends/cpu/candidates.hpp"
#include "plan/plan_data.hpp"

namespace tamis::detail::cpu {

struct MergeCall {
  const PlanData& plan;
  const Lists& lists;
  const Output& output;
};

void merge_row(const MergeCall& call, std::int64_t row, Candidates candidates, Faults& faults);

}  // namespace tamis::detail::cpu
