// How the CPU backend divides its work and its workspace: the planner states it, the backend lives by it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/plan_data.hpp"

namespace tamis::detail {

struct CpuLayout {
  std::int64_t parts;     // pieces that a row's window is selected in, each by one worker; 1: the whole row
  std::int64_t tasks;     // rows * parts
  std::int64_t workers;   // the most threads that select may use; 0 where there are no rows
  std::int64_t kept;      // the most items a row selects, min(k, width)
  std::int64_t capacity;  // candidates that a worker's buffer holds; 0: no buffer is needed

  std::size_t worker_bytes() const;  // a worker's buffer
  std::size_t list_bytes() const;    // the selection of a part, waiting to be merged with those of its row
  std::size_t workspace_bytes() const;
};

// The longest that a part may be shorter than; below it a second worker costs more than it saves.
constexpr std::int64_t least_part = 32768;

CpuLayout cpu_layout(const PlanData& plan);

}  // namespace tamis::detail
