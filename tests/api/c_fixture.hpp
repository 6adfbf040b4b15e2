// A small, valid selection through the C ABI, for tests that then spoil one argument.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tamis/tamis.h"

namespace tamis::test {

class CApi : public testing::Test {
 protected:
  static constexpr std::int32_t untouched = -77;

  CApi() {
    shape.rows = 2;
    shape.width = 8;
    shape.k = 3;
    rows.scores = scores.data();
    rows.stride = 8;
    output.indices = indices.data();
    output.counts = counts.data();
    output.slots = slots.data();
    indices.fill(untouched);
    slots.fill(untouched);
    counts.fill(untouched);
    EXPECT_EQ(tamis_device_cpu(1, &device, nullptr), TAMIS_OK);
    EXPECT_EQ(tamis_plan_select(&shape, device, &plan, nullptr), TAMIS_OK);
    workspace.resize(tamis_plan_workspace_bytes(plan));
  }
  ~CApi() override {
    tamis_plan_free(plan);
    tamis_device_free(device);
  }

  tamis_code select() {
    return tamis_select(plan, &rows, &output, workspace.data(), workspace.size(), nullptr, &error);
  }

  // That a call failed as `code`, its message holds `part`, and no output was touched.
  void expect_refused(tamis_code got, tamis_code code, const std::string& part) {
    EXPECT_EQ(got, code);
    EXPECT_EQ(error.code, code);
    EXPECT_THAT(std::string(error.message), testing::HasSubstr(part));
    EXPECT_THAT(indices, testing::Each(untouched));
    EXPECT_THAT(slots, testing::Each(untouched));
    EXPECT_THAT(counts, testing::Each(untouched));
    error = TAMIS_ERROR_INIT;
  }

  std::array<float, 16> scores{1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1};
  std::array<std::int32_t, 6> indices{}, slots{};
  std::array<std::int32_t, 2> counts{};
  std::vector<unsigned char> workspace;
  tamis_shape shape = TAMIS_SHAPE_INIT;
  tamis_rows rows = TAMIS_ROWS_INIT;
  tamis_output output = TAMIS_OUTPUT_INIT;
  tamis_error error = TAMIS_ERROR_INIT;
  tamis_device* device = nullptr;
  tamis_plan* plan = nullptr;
};

}  // namespace tamis::test
