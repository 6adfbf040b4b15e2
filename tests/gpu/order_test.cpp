// Determinism: by_index and by_score give the same bytes in every run, and every order, in every run, the same set.

#include <algorithm>
#include <cstring>

#include "job.hpp"

namespace tamis::testing {
namespace {

Case tied(Order order) {
  return {.sentence = "order",
          .name = "tied",
          .shape = {.rows = 12, .width = 131072, .k = 2048, .order = order},
          .pattern = "fp8"};
}

// Rows of indices, each sorted.
std::vector<std::int32_t> sets_of(const std::vector<std::byte>& bytes, std::int64_t k) {
  std::vector<std::int32_t> indices(bytes.size() / 4);
  std::memcpy(indices.data(), bytes.data(), bytes.size());
  for (auto row = indices.begin(); row != indices.end(); row += k) std::sort(row, row + k);
  return indices;
}

// The indices that the CPU backend selects.
std::vector<std::byte> selected_by_cpu(const Case& c, const Inputs& inputs) {
  const Plan made = plan(c.shape, cpu_device()).value;
  std::vector<std::byte> workspace(made.workspace_bytes()), indices(c.shape.rows * c.shape.k * 4);
  EXPECT_TRUE(select(made, inputs.rows(), {.indices = reinterpret_cast<std::int32_t*>(indices.data())},
                     {workspace.data(), workspace.size()})
                  .ok());
  return indices;
}

class Orders : public ::testing::TestWithParam<std::string> {};

// The orders that the method can give, each with the case it gives it for.
std::vector<Case> tied_cases(const std::string& method) {
  std::vector<Case> list;
  for (const Order order : {Order::any, Order::by_index, Order::by_score}) {
    const Case c = fitted(tied(order), method);
    if (c.shape.order == order) list.push_back(c);
  }
  return list;
}

TEST_P(Orders, AreTheSameBytesInAHundredRunsAndAnyIsTheSameSet) {
  TAMIS_NEEDS_DEVICE();
  for (const Case& c : tied_cases(GetParam())) {
    Job job(c, GetParam());
    std::vector<std::byte> first;
    for (int run = 0; run < 100; ++run) {
      job.poison();
      ASSERT_TRUE(job.enqueue().ok());
      const std::vector<std::byte> now = job.indices();
      if (run == 0) first = now;
      if (c.shape.order == Order::any)
        ASSERT_TRUE(sets_of(now, c.shape.k) == sets_of(first, c.shape.k)) << "run " << run;
      else
        ASSERT_TRUE(now == first) << "run " << run << " " << name(c.shape.order);
    }
    EXPECT_EQ(job.wrong(), "");
  }
}

TEST_P(Orders, SelectOneSetTheCpusToo) {
  TAMIS_NEEDS_DEVICE();
  for (const Case& c : tied_cases(GetParam())) {
    Job job(c, GetParam());
    ASSERT_TRUE(job.enqueue().ok());
    EXPECT_TRUE(sets_of(job.indices(), c.shape.k) == sets_of(selected_by_cpu(c, job.inputs()), c.shape.k))
        << name(c.shape.order);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Orders, each_method, method_name);

}  // namespace
}  // namespace tamis::testing
