// Determinism: by_index and by_score give the same bytes in every run, and every order the same set.

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

class Orders : public ::testing::TestWithParam<std::string> {};

TEST_P(Orders, AreTheSameBytesInAHundredRuns) {
  TAMIS_NEEDS_DEVICE();
  for (Order order : {Order::by_index, Order::by_score}) {
    Job job(tied(order), GetParam());
    std::vector<std::byte> first;
    for (int run = 0; run < 100; ++run) {
      job.poison();
      ASSERT_TRUE(job.enqueue().ok());
      const std::vector<std::byte> now = job.indices();
      if (run == 0) first = now;
      ASSERT_TRUE(now == first) << "run " << run;
    }
    EXPECT_EQ(job.wrong(), "");
  }
}

TEST_P(Orders, SelectOneSet) {
  TAMIS_NEEDS_DEVICE();
  std::vector<std::vector<std::int32_t>> sets;
  for (Order order : {Order::any, Order::by_index, Order::by_score}) {
    Job job(tied(order), GetParam());
    ASSERT_TRUE(job.enqueue().ok());
    sets.push_back(sets_of(job.indices(), 2048));
  }
  EXPECT_TRUE(sets[0] == sets[1]);
  EXPECT_TRUE(sets[1] == sets[2]);
}

INSTANTIATE_TEST_SUITE_P(Methods, Orders, each_method, method_name);

}  // namespace
}  // namespace tamis::testing
