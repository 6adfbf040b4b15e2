// The `size` that leads every struct of the C ABI: missing, too small, absurd, and larger than this library knows.

#include <cstring>

#include "c_fixture.hpp"

namespace tamis::test {
namespace {

// A struct as a newer caller has it: the known part, then eight bytes that this library does not know.
template <class Struct>
struct Wider {
  Struct known;
  unsigned char rest[8];

  Wider(const Struct& from, unsigned char last) : known(from), rest{} {
    known.size = sizeof(Wider);
    rest[7] = last;
  }
};

template <class Struct>
Struct with_size(Struct value, std::size_t size) {
  value.size = size;
  return value;
}

using Size = CApi;

TEST_F(Size, OfAShapeMustBeItsSizeof) {
  for (const std::size_t size : {std::size_t{0}, sizeof(tamis_shape) - 1, ~std::size_t{0}}) {
    const tamis_shape bad = with_size(shape, size);
    tamis_plan* made = nullptr;
    expect_refused(tamis_plan_select(&bad, device, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "shape.size is " + std::to_string(size));
    EXPECT_EQ(made, nullptr);
  }
}

TEST_F(Size, OfAMergeShapeMustBeItsSizeof) {
  tamis_merge_shape merge = TAMIS_MERGE_SHAPE_INIT;
  merge.size = 0;
  tamis_plan* made = nullptr;
  expect_refused(tamis_plan_merge(&merge, device, &made, &error), TAMIS_INVALID_ARGUMENT, "shape.size is 0");
  EXPECT_EQ(made, nullptr);
}

TEST_F(Size, OfRowsMustBeItsSizeof) {
  for (const std::size_t size : {std::size_t{0}, sizeof(tamis_rows) - 1, std::size_t{5000}}) {
    rows.size = size;
    expect_refused(select(), TAMIS_INVALID_ARGUMENT, "rows.size is " + std::to_string(size));
  }
}

TEST_F(Size, OfAnOutputMustBeItsSizeof) {
  for (const std::size_t size : {std::size_t{0}, sizeof(tamis_output) - 8, std::size_t{5000}}) {
    output.size = size;
    expect_refused(select(), TAMIS_INVALID_ARGUMENT, "output.size is " + std::to_string(size));
  }
}

TEST_F(Size, OfListsMustBeItsSizeof) {
  tamis_lists lists = TAMIS_LISTS_INIT;
  lists.size = 1;
  expect_refused(tamis_merge(plan, &lists, &output, workspace.data(), workspace.size(), nullptr, &error),
                 TAMIS_INVALID_ARGUMENT, "lists.size is 1");
}

TEST_F(Size, OfAReportMustBeItsSizeof) {
  tamis_report report = TAMIS_REPORT_INIT;
  report.size = sizeof report - 1;
  expect_refused(tamis_verify(&shape, &rows, &output, &report, &error), TAMIS_INVALID_ARGUMENT, "report.size is");
  EXPECT_EQ(report.rows, 0);
}

TEST_F(Size, MayBeLargerThanKnownWhileTheRestIsZero) {
  const Wider wide_shape(shape, 0);
  const Wider wide_rows(rows, 0);
  const Wider wide_output(output, 0);
  tamis_plan* made = nullptr;
  ASSERT_EQ(tamis_plan_select(&wide_shape.known, device, &made, &error), TAMIS_OK) << error.message;
  EXPECT_EQ(tamis_plan_equal(made, plan), 1);
  tamis_plan_free(made);
  EXPECT_EQ(
      tamis_select(plan, &wide_rows.known, &wide_output.known, workspace.data(), workspace.size(), nullptr, &error),
      TAMIS_OK);
  EXPECT_THAT(counts, testing::Each(3));
}

TEST_F(Size, MayNotBeLargerThanKnownWhenTheRestIsSet) {
  const Wider wide_shape(shape, 1);
  const Wider wide_rows(rows, 1);
  const Wider wide_output(output, 1);
  tamis_plan* made = nullptr;
  expect_refused(tamis_plan_select(&wide_shape.known, device, &made, &error), TAMIS_INVALID_ARGUMENT,
                 "shape has byte 63 set");
  EXPECT_EQ(made, nullptr);
  expect_refused(tamis_select(plan, &wide_rows.known, &output, workspace.data(), workspace.size(), nullptr, &error),
                 TAMIS_INVALID_ARGUMENT, "rows has byte 47 set");
  expect_refused(tamis_select(plan, &rows, &wide_output.known, workspace.data(), workspace.size(), nullptr, &error),
                 TAMIS_INVALID_ARGUMENT, "output has byte");
}

TEST_F(Size, OfAnErrorDecidesWhetherItIsFilled) {
  tamis_error unsized;
  std::memset(&unsized, 0x5a, sizeof unsized);
  unsized.size = 0;
  const tamis_error before = unsized;
  EXPECT_EQ(tamis_select(nullptr, &rows, &output, nullptr, 0, nullptr, &unsized), TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(std::memcmp(&unsized, &before, sizeof before), 0);
}

}  // namespace
}  // namespace tamis::test
