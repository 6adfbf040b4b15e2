// The part of the planner for rows that a cluster holds on chip: which kernel of register_row and resident_row, if any.
#pragma once

#include "plan/plan_data.hpp"

namespace tamis::detail {

bool register_row_possible(const PlanData& plan);
bool register_row_preferred(const PlanData& plan);
void fill_register_row(PlanData& plan);

bool resident_row_possible(const PlanData& plan);
bool resident_row_preferred(const PlanData& plan);
void fill_resident_row(PlanData& plan);

}  // namespace tamis::detail
