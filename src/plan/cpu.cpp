// Plans for the CPU backend.

#include "plan/plan_data.hpp"

namespace tamis::detail {

void plan_cpu(PlanData& plan) {
  plan.method = "cpu_sort";
  plan.reason = "the only CPU method of this build";
  plan.launches = {{.kernel = plan.method, .blocks = plan.shape.rows, .threads = 1}};
  plan.row_reads = 1;
}

}  // namespace tamis::detail
