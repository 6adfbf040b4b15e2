// Random cases against the oracle, through the planner's choice and every method: 100 tests of 100 cases each, every
// case a function of its number, so that a failure names what to run again.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "job.hpp"
#include "support/gpu_machines.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::int64_t within(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(std::int64_t n) { return within(1, n) == 1; }
  // As many small numbers as large ones.
  std::int64_t magnitude(std::int64_t high) {
    return within(0, std::int64_t{1} << within(0, 62 - __builtin_clzll(high)));
  }
  template <class Enum>
  Enum option(Enum last) {
    return static_cast<Enum>(within(0, static_cast<std::int64_t>(last)));
  }

 private:
  std::mt19937_64 random_;
};

Shape drawn_shape(Draw& draw) {
  Shape shape{.rows = draw.one_in(8) ? draw.within(1, 300) : draw.within(1, 6)};
  shape.width = std::min<std::int64_t>(draw.magnitude(131072), 400'000 / shape.rows);
  shape.k = draw.one_in(4) ? std::max<std::int64_t>(1, shape.width + draw.within(-2, 2)) : 1 + draw.magnitude(8192);
  shape.scores = draw.option(ScoreType::bf16);
  shape.order = draw.option(Order::by_score);
  shape.nan = draw.option(Nan::highest);
  shape.ties = draw.one_in(4) ? Ties::any : Ties::lowest_index;
  if (draw.one_in(4)) shape.length_rule = {static_cast<int>(draw.within(1, 5)), static_cast<int>(draw.within(1, 5))};
  return shape;
}

std::vector<std::int32_t> drawn_lengths(Draw& draw, const Shape& shape) {
  const std::int64_t edges[] = {
      INT32_MIN, -1, 0, 1, shape.k - 1, shape.k, shape.k + 1, shape.width - 1, shape.width, shape.width + 1, INT32_MAX};
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(draw.within(1, 7)));
  for (std::int32_t& length : lengths)
    length = static_cast<std::int32_t>(draw.one_in(2) ? edges[draw.within(0, 10)] : draw.within(0, shape.width));
  return lengths;
}

void draw_mapping(Draw& draw, Case& c) {
  const std::int32_t sizes[] = {1, 8, 16, 64, 100, 128, 256};
  c.mapping = draw.option(Mapping::ragged);
  c.slot_type = draw.option(SlotType::i64);
  c.offsets = {0, 17, static_cast<std::int32_t>(draw.within(-100, INT32_MAX))};
  c.pages = {.page_size = sizes[draw.within(0, 6)],
             .rows = draw.option(TableRows::segments),
             .missing_columns = draw.one_in(6) ? draw.within(1, 3) : 0,
             .stride_slack = draw.within(-1, 3),
             .holes = draw.one_in(4) ? draw.within(1, 50) : 0,
             .first_page = draw.one_in(8) ? INT32_MAX - 70000 : 0,
             .stray_rows = draw.one_in(6) ? 3 : 0};
  if (draw.one_in(3)) c.pages.page_start = {static_cast<std::int32_t>(draw.within(-5, 300)), 0};
}

Case drawn_case(std::uint64_t number) {
  Draw draw(number);
  const auto& patterns = workload::patterns();
  Case c{.sentence = "RandomCases", .name = std::to_string(number), .shape = drawn_shape(draw)};
  c.pattern = patterns[static_cast<std::size_t>(draw.within(0, static_cast<std::int64_t>(patterns.size()) - 1))].name;
  c.seed = number;
  if (draw.one_in(2)) c.lengths = drawn_lengths(draw, c.shape);
  if (draw.one_in(3)) c.starts = {0, static_cast<std::int32_t>(draw.within(-1, c.shape.width + 1)), 3};
  c.stride_slack = draw.within(0, 9);
  c.misalignment = draw.within(0, 7);
  c.outputs = static_cast<unsigned>(draw.within(1, 15)) | wanted::faults;
  c.output_slack = draw.within(0, 3);
  draw_mapping(draw, c);
  return c;
}

class RandomCases : public ::testing::TestWithParam<int> {};

TEST_P(RandomCases, AgreeWithTheOracleOnEveryMethod) {
  TAMIS_NEEDS_DEVICE();
  for (int i = 0; i < 100; ++i) {
    const Case c = drawn_case(static_cast<std::uint64_t>(GetParam()) * 100 + i);
    const Prepared prepared = prepare(c);
    for (const Machine& machine : machines()) {
      if (machine.device.backend != Backend::cuda || !plan_on(c.shape, machine).ok()) continue;
      ASSERT_EQ(run(prepared, machine), "") << "case " << c.name << " on " << machine.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hundred, RandomCases, ::testing::Range(0, 100));

}  // namespace
}  // namespace tamis::testing
