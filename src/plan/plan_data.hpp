// What a plan holds: the numbers a backend launches from. Built once by the planner, then immutable.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::detail {

enum class Work { select, merge };

struct PlanData {
  Work work = Work::select;
  Shape shape;       // of a merge: rows, k, type and options; width is lists * capacity
  MergeShape merge;  // Work::merge only
  Device device;
  std::string method;
  std::vector<Launch> launches;
  std::size_t workspace_bytes = 0;
  std::int32_t parts = 1;  // of a row that several blocks list candidates of
  double row_reads = 0;    // times each score is expected to be read
  std::string reason;

  bool operator==(const PlanData&) const = default;
};

// Fills method, launches, workspace, reads and reason. Arguments are already checked.
void plan_cpu(PlanData& plan);

}  // namespace tamis::detail
