// Every wrong argument of the C ABI gives its code and a message that names it, and nothing is written.

#include <climits>

#include "c_fixture.hpp"

namespace tamis::test {
namespace {

using CErrors = CApi;

TEST_F(CErrors, ANullArgumentOfSelectIsNamed) {
  const auto call = [&](const tamis_plan* p, const tamis_rows* r, const tamis_output* o) {
    return tamis_select(p, r, o, workspace.data(), workspace.size(), nullptr, &error);
  };
  expect_refused(call(nullptr, &rows, &output), TAMIS_INVALID_ARGUMENT, "plan is null");
  expect_refused(call(plan, nullptr, &output), TAMIS_INVALID_ARGUMENT, "rows is null");
  expect_refused(call(plan, &rows, nullptr), TAMIS_INVALID_ARGUMENT, "output is null");
  EXPECT_EQ(tamis_select(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr), TAMIS_INVALID_ARGUMENT);
}

TEST_F(CErrors, ANullArgumentOfMergeIsNamed) {
  tamis_lists lists = TAMIS_LISTS_INIT;
  const auto call = [&](const tamis_plan* p, const tamis_lists* l, const tamis_output* o) {
    return tamis_merge(p, l, o, workspace.data(), workspace.size(), nullptr, &error);
  };
  expect_refused(call(nullptr, &lists, &output), TAMIS_INVALID_ARGUMENT, "plan is null");
  expect_refused(call(plan, nullptr, &output), TAMIS_INVALID_ARGUMENT, "lists is null");
  expect_refused(call(plan, &lists, nullptr), TAMIS_INVALID_ARGUMENT, "output is null");
  expect_refused(call(plan, &lists, &output), TAMIS_PLAN_MISMATCH, "plan was made for select");
}

TEST_F(CErrors, ANullArgumentOfPlanIsNamed) {
  tamis_merge_shape merge = TAMIS_MERGE_SHAPE_INIT;
  tamis_plan* made = nullptr;
  expect_refused(tamis_plan_select(nullptr, device, &made, &error), TAMIS_INVALID_ARGUMENT, "shape is null");
  expect_refused(tamis_plan_select(&shape, nullptr, &made, &error), TAMIS_INVALID_ARGUMENT, "device is null");
  expect_refused(tamis_plan_select(&shape, device, nullptr, &error), TAMIS_INVALID_ARGUMENT, "plan is null");
  expect_refused(tamis_plan_merge(nullptr, device, &made, &error), TAMIS_INVALID_ARGUMENT, "shape is null");
  expect_refused(tamis_plan_merge(&merge, nullptr, &made, &error), TAMIS_INVALID_ARGUMENT, "device is null");
  expect_refused(tamis_plan_merge(&merge, device, nullptr, &error), TAMIS_INVALID_ARGUMENT, "plan is null");
  EXPECT_EQ(made, nullptr);
}

TEST_F(CErrors, ANullArgumentOfVerifyIsNamed) {
  tamis_report report = TAMIS_REPORT_INIT;
  expect_refused(tamis_verify(nullptr, &rows, &output, &report, &error), TAMIS_INVALID_ARGUMENT, "shape is null");
  expect_refused(tamis_verify(&shape, nullptr, &output, &report, &error), TAMIS_INVALID_ARGUMENT, "rows is null");
  expect_refused(tamis_verify(&shape, &rows, nullptr, &report, &error), TAMIS_INVALID_ARGUMENT, "output is null");
  expect_refused(tamis_verify(&shape, &rows, &output, nullptr, &error), TAMIS_INVALID_ARGUMENT, "report is null");
  rows.scores = nullptr;
  expect_refused(tamis_verify(&shape, &rows, &output, &report, &error), TAMIS_INVALID_ARGUMENT, "scores is null");
  EXPECT_EQ(report.rows, 0);
}

TEST_F(CErrors, AWrongArgumentOfGenerateIsNamed) {
  tamis_target target = TAMIS_TARGET_INIT;
  target.scores = scores.data();
  target.rows = target.width = target.stride = 4;
  const auto before = scores;
  const auto call = [&](const char* pattern) { return tamis_generate(pattern, 1, &target, 0, &error); };
  expect_refused(call(nullptr), TAMIS_INVALID_ARGUMENT, "pattern is null");
  expect_refused(call("plaid"), TAMIS_INVALID_ARGUMENT, "'plaid'");
  expect_refused(tamis_generate("normal", 1, nullptr, 0, &error), TAMIS_INVALID_ARGUMENT, "target is null");
  expect_refused(tamis_generate("normal", 1, &target, -1, &error), TAMIS_INVALID_ARGUMENT, "first_row is -1");
  target.stride = 3;
  expect_refused(call("normal"), TAMIS_INVALID_ARGUMENT, "stride is 3");
  target.reserved = 2;
  expect_refused(call("normal"), TAMIS_INVALID_ARGUMENT, "target.reserved is 2");
  target.size = 3;
  expect_refused(call("normal"), TAMIS_INVALID_ARGUMENT, "target.size is 3");
  EXPECT_EQ(scores, before);
}

TEST_F(CErrors, AWrongDeviceArgumentIsNamed) {
  tamis_device* made = nullptr;
  expect_refused(tamis_device_known(nullptr, &made, &error), TAMIS_INVALID_ARGUMENT, "name is null");
  expect_refused(tamis_device_known("h200", nullptr, &error), TAMIS_INVALID_ARGUMENT, "device is null");
  expect_refused(tamis_device_known("abacus", &made, &error), TAMIS_INVALID_ARGUMENT, "'abacus'");
  expect_refused(tamis_device_cpu(1, nullptr, &error), TAMIS_INVALID_ARGUMENT, "device is null");
  for (const std::int32_t threads : {INT_MIN, -1, 0, INT_MAX})
    expect_refused(tamis_device_cpu(threads, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "threads is " + std::to_string(threads));
  for (const std::int32_t lanes : {-32, 0, 1, 33, 128})
    expect_refused(tamis_device_emulated(lanes, 1024, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "lanes is " + std::to_string(lanes));
  for (const std::int32_t block : {-1, 0, 511, 1025})
    expect_refused(tamis_device_emulated(32, block, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "block is " + std::to_string(block));
  expect_refused(tamis_device_emulated(32, 1024, nullptr, &error), TAMIS_INVALID_ARGUMENT, "device is null");
  EXPECT_EQ(made, nullptr);
}

TEST_F(CErrors, AnAbsentDeviceIsNamedAndCountsZero) {
  tamis_device* made = nullptr;
  expect_refused(tamis_device_present(TAMIS_CPU, 0, nullptr, &error), TAMIS_INVALID_ARGUMENT, "device is null");
  for (const std::int32_t ordinal : {-1, 1, INT_MAX})
    expect_refused(tamis_device_present(TAMIS_CPU, ordinal, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "ordinal is " + std::to_string(ordinal));
  for (const std::int32_t backend : {-1, 4, INT_MAX}) {
    expect_refused(tamis_device_present(backend, 0, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "backend is " + std::to_string(backend));
    EXPECT_EQ(tamis_device_count(backend), 0);
  }
  EXPECT_EQ(made, nullptr);
}

TEST_F(CErrors, AWorkspaceTooSmallOrMissingIsNamed) {
  const std::size_t bytes = tamis_plan_workspace_bytes(plan);
  ASSERT_GT(bytes, 0u);
  expect_refused(tamis_select(plan, &rows, &output, workspace.data(), bytes - 1, nullptr, &error),
                 TAMIS_WORKSPACE_TOO_SMALL, "workspace is " + std::to_string(bytes - 1) + " bytes");
  expect_refused(tamis_select(plan, &rows, &output, nullptr, bytes, nullptr, &error), TAMIS_INVALID_ARGUMENT,
                 "workspace is null");
}

TEST_F(CErrors, AWrongThreadCountIsNamed) {
  tamis_threads* made = nullptr;
  for (const std::int32_t count : {INT_MIN, -1, 0, 4097, INT_MAX})
    expect_refused(tamis_threads_create(count, &made, &error), TAMIS_INVALID_ARGUMENT,
                   "count is " + std::to_string(count));
  expect_refused(tamis_threads_create(1, nullptr, &error), TAMIS_INVALID_ARGUMENT, "threads is null");
  EXPECT_EQ(made, nullptr);
}

TEST_F(CErrors, QuestionsAboutNothingHaveEmptyAnswers) {
  EXPECT_STREQ(tamis_device_name(nullptr), "");
  EXPECT_STREQ(tamis_plan_method(nullptr), "");
  EXPECT_STREQ(tamis_plan_text(nullptr), "");
  EXPECT_STREQ(tamis_plan_json(nullptr), "");
  EXPECT_EQ(tamis_plan_workspace_bytes(nullptr), 0u);
  EXPECT_EQ(tamis_plan_equal(nullptr, nullptr), 1);
  EXPECT_EQ(tamis_plan_equal(plan, nullptr), 0);
  EXPECT_EQ(tamis_plan_equal(nullptr, plan), 0);
  EXPECT_STREQ(tamis_code_name(12345), "unknown");
  tamis_plan_free(nullptr);
  tamis_device_free(nullptr);
  tamis_threads_free(nullptr);
}

TEST_F(CErrors, AMessageTooLongIsCutAndTerminated) {
  tamis_device* made = nullptr;
  const std::string name(2000, 'x');
  EXPECT_EQ(tamis_device_known(name.c_str(), &made, &error), TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(error.message).size(), sizeof(error.message) - 1);
}

TEST_F(CErrors, AMessageIsNotCutInsideACharacter) {
  tamis_device* made = nullptr;
  std::string name = "a";
  while (name.size() < 2000) name += "\u00e9";
  EXPECT_EQ(tamis_device_known(name.c_str(), &made, &error), TAMIS_INVALID_ARGUMENT);
  const std::string message(error.message);
  EXPECT_GE(message.size(), sizeof(error.message) - 2);
  EXPECT_EQ(message.substr(message.size() - 2), "\u00e9");
}

TEST_F(CErrors, ASuccessLeavesTheErrorAlone) {
  error.code = 99;
  ASSERT_EQ(select(), TAMIS_OK);
  EXPECT_EQ(error.code, 99);
}

}  // namespace
}  // namespace tamis::test
