// The journey of one row: window, whole or filtered, order, emission.
#pragma once

#include "backends/cpu/scratch.hpp"
#include "plan/plan_data.hpp"

namespace tamis::detail::cpu {

// Everything a row's journey reads and writes but its scratch.
struct SelectCall {
  const Shape& shape;
  const Rows& rows;
  const Output& output;
  std::int64_t parts;
};

void select_row(const SelectCall& call, std::int64_t row, Candidates candidates, Faults& faults);

// The same in two steps, for rows in parts: each part leaves its own best, then the row is chosen from its parts'
// lists.
void select_part(const SelectCall& call, std::int64_t row, std::int64_t part, Candidates candidates,
                 const PartList& list);
void finish_row(const SelectCall& call, std::int64_t row, Candidates candidates, const Scratch& scratch,
                Faults& faults);

}  // namespace tamis::detail::cpu
