// The streaming method's part of the planner: which of its kernels suits how many rows of which length.
#pragma once

#include "plan/plan_data.hpp"

namespace tamis::detail {

bool stream_row_possible(const PlanData& plan);
bool stream_row_preferred(const PlanData& plan);
void fill_stream_row(PlanData& plan);

}  // namespace tamis::detail
