// Sizes at which an offset of 32 bits, in bytes or in elements, would wrap.

#include <cstring>

#include "job.hpp"
#include "plan/gpu.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

constexpr std::int64_t width = 262209;
constexpr std::int64_t k = 2048;

std::vector<float> scores_of(std::int64_t rows) {
  std::vector<float> scores(static_cast<std::size_t>(rows * width));
  const workload::Target target{scores.data(), ScoreType::f32, rows, width, width};
  if (Status status = workload::generate("normal", 7, target); !status.ok()) throw std::runtime_error(status.message);
  return scores;
}

// Memory of the device that nobody else checks.
class Room {
 public:
  explicit Room(std::size_t bytes) : data_(device_memory().allocate(bytes)) {}
  ~Room() { device_memory().release(data_); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  char* at(std::int64_t byte) const { return static_cast<char*>(data_) + byte; }
  bool given() const { return data_ != nullptr; }

 private:
  void* data_;
};

// Selects `rows` rows that lie `stride` apart, row r holding row r % held of `scores`, and judges rows [0, held) and
// the last `held`.
void select_and_judge(std::int64_t rows, std::int64_t stride, std::int64_t held, const std::string& method) {
  const std::vector<float> scores = scores_of(held);
  const Room device(static_cast<std::size_t>((rows - 1) * stride + width) * 4);
  if (!device.given()) GTEST_SKIP() << "too little memory on the device";
  for (std::int64_t r = 0; r < rows; ++r)
    ASSERT_TRUE(device_memory().write(device.at(r * stride * 4), &scores[r % held * width], width * 4).ok());
  const Shape shape{.rows = rows, .width = width, .k = k};
  const Result<Plan> plan =
      method.empty() ? tamis::plan(shape, *first_device()) : detail::plan_with_method(shape, *first_device(), method);
  ASSERT_TRUE(plan.ok());
  const Room indices(static_cast<std::size_t>(rows * k) * 4), workspace(plan.value.workspace_bytes() + 1);
  ASSERT_TRUE(select(plan.value, {.scores = device.at(0), .stride = stride},
                     {.indices = reinterpret_cast<std::int32_t*>(indices.at(0))},
                     {workspace.at(0), plan.value.workspace_bytes()})
                  .ok());
  std::vector<std::int32_t> got(static_cast<std::size_t>(held * k));
  for (const std::int64_t first : {std::int64_t{0}, rows - held}) {
    ASSERT_TRUE(device_memory().read(got.data(), indices.at(first * k * 4), got.size() * 4).ok());
    const auto report = verify({.rows = held, .width = width, .k = k}, {.scores = scores.data(), .stride = width},
                               {.indices = got.data()});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report.value.message, "") << method << " from row " << first;
  }
}

class Large : public ::testing::TestWithParam<std::string> {};

TEST_P(Large, RowsPastFourGigabytes) {
  TAMIS_NEEDS_DEVICE();
  select_and_judge(4096, width, 16, GetParam());
}

TEST_P(Large, RowsPastTwoToTheThirtyTwoElements) {
  TAMIS_NEEDS_DEVICE();
  select_and_judge(3, (std::int64_t{1} << 31) + 5, 1, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Methods, Large, any_width_methods, method_name);

}  // namespace
}  // namespace tamis::testing
