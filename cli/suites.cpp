// See suites.hpp.

#include "suites.hpp"

#include "tamis/workload.hpp"

namespace tamis::cli {
namespace {

using Numbers = std::vector<std::int64_t>;

std::vector<Cell> product(const Numbers& rows, const Numbers& lengths, const Numbers& ks) {
  std::vector<Cell> cells;
  for (const std::int64_t r : rows)
    for (const std::int64_t length : lengths)
      for (const std::int64_t k : ks) cells.push_back({.rows = r, .length = length, .k = k});
  return cells;
}

std::vector<Cell> joined(std::initializer_list<std::vector<Cell>> lists) {
  std::vector<Cell> cells;
  for (const auto& list : lists) cells.insert(cells.end(), list.begin(), list.end());
  return cells;
}

std::vector<Cell> every_pattern() {
  std::vector<Cell> cells;
  for (const workload::Pattern& pattern : workload::patterns())
    cells.push_back({.rows = 4, .pattern = std::string(pattern.name)});
  return cells;
}

std::vector<Cell> prefill() {
  return joined({product({4096}, {8192, 32768}, {2048}), product({1024}, {131072}, {2048})});
}

}  // namespace

const std::vector<Suite>& suites() {
  static const Numbers ks{512, 1024, 2048};
  static const std::vector<Suite> all{
      {"quick", "six cells, a few seconds", product({1, 16}, {8192, 32768, 131072}, {2048})},
      {"decode", "1 to 64 rows of 8192 to 262144 scores",
       product({1, 4, 16, 64}, {8192, 32768, 131072, 262144}, {512, 2048})},
      {"prefill", "thousands of rows; needs 1 GB", prefill()},
      {"patterns", "every pattern, 4 rows of 131072 scores", every_pattern()},
      {"grid", "rows x length x k over the whole range, then 1M and prefill; needs 1 GB",
       joined({product({1, 4, 16, 30, 64, 128, 256}, {2049, 8192, 16384, 32768, 65536, 131072, 262144}, ks),
               product({1, 4, 16}, {1048576}, ks), prefill()})},
  };
  return all;
}

}  // namespace tamis::cli
