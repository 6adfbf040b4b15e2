/* The whole job from C99: generate, plan, select through a page table, verify, merge two shards. Returns the number
 * of checks that failed, so that ctest sees them. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tamis/tamis.h"

enum { ROWS = 2, WIDTH = 6, K = 4, PAGE = 2, COLUMNS = 3 };

static int failures = 0;

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      ++failures;                                                      \
      fprintf(stderr, "line %d: %s is false\n", __LINE__, #condition); \
    }                                                                  \
  } while (0)

#define CHECK_OK(call)                                                    \
  do {                                                                    \
    tamis_code code_ = (call);                                            \
    if (code_ != TAMIS_OK) {                                              \
      ++failures;                                                         \
      fprintf(stderr, "%s: %s\n", tamis_code_name(code_), error.message); \
    }                                                                     \
  } while (0)

static tamis_error error = TAMIS_ERROR_INIT;
static const float scores[ROWS * WIDTH] = {1.0f, 5.0f, 5.0f, 0.0f, 2.0f, 5.0f, 9.0f, 8.0f, 7.0f, 6.0f, 5.0f, 4.0f};
static const int32_t lengths[ROWS] = {6, 2};
static const int32_t page_table[ROWS * COLUMNS] = {10, 20, 30, 40, 50, 60};

static tamis_shape make_shape(void) {
  tamis_shape shape = TAMIS_SHAPE_INIT;
  shape.rows = ROWS;
  shape.width = WIDTH;
  shape.k = K;
  shape.order = TAMIS_ORDER_BY_INDEX;
  return shape;
}

static tamis_rows make_rows(void) {
  tamis_rows rows = TAMIS_ROWS_INIT;
  rows.scores = scores;
  rows.stride = WIDTH;
  rows.lengths = lengths;
  return rows;
}

/* The output just selected is exact, and no longer once an entry is changed. */
static void verify_judges(const tamis_shape* shape, const tamis_rows* rows, const tamis_output* output) {
  tamis_report report = TAMIS_REPORT_INIT;
  CHECK_OK(tamis_verify(shape, rows, output, &report, &error));
  CHECK(report.rows == ROWS && report.wrong_rows == 0 && report.row == -1);
  output->indices[1] = 3;
  CHECK_OK(tamis_verify(shape, rows, output, &report, &error));
  CHECK(report.wrong_rows == 1 && report.row == 0 && report.finding == TAMIS_FINDING_NOT_BEST);
  CHECK(strcmp(tamis_finding_name(report.finding), "not_best") == 0);
  CHECK(strstr(report.message, "not_best") == report.message);
}

static void select_maps_and_counts(const tamis_shape* shape, const tamis_plan* plan) {
  static const int32_t positions[ROWS * K] = {1, 2, 4, 5, 0, 1, -1, -1};
  static const int64_t physical[ROWS * K] = {21, 40, 60, 61, 80, 81, -1, -1};
  int32_t indices[ROWS * K], counts[ROWS];
  int64_t slots[ROWS * K];
  tamis_faults faults = TAMIS_FAULTS_INIT;
  tamis_rows rows = make_rows();
  tamis_output output = TAMIS_OUTPUT_INIT;
  tamis_threads* threads = NULL;
  size_t bytes = tamis_plan_workspace_bytes(plan);
  void* workspace = malloc(bytes + 1);
  output.indices = indices;
  output.slots = slots;
  output.slot_type = TAMIS_I64;
  output.counts = counts;
  output.faults = &faults;
  output.mapping = TAMIS_MAP_PAGED;
  output.page_table = page_table;
  output.tables = ROWS;
  output.columns = COLUMNS;
  output.page_table_stride = COLUMNS;
  output.page_size = PAGE;
  CHECK_OK(tamis_threads_create(2, &threads, &error));
  CHECK_OK(tamis_select(plan, &rows, &output, workspace, bytes, threads, &error));
  tamis_threads_free(threads);
  CHECK(memcmp(indices, positions, sizeof positions) == 0);
  CHECK(slots[0] == 21 && memcmp(slots, physical, sizeof physical) == 0);
  CHECK(counts[0] == 4 && counts[1] == 2);
  CHECK(faults.length.count == 0 && faults.page.count == 0 && faults.page.first_row == INT64_MAX);
  verify_judges(shape, &rows, &output);
  free(workspace);
}

static void every_pattern_is_generated(void) {
  float row[8];
  tamis_target target = TAMIS_TARGET_INIT;
  int32_t pattern;
  target.scores = row;
  target.rows = 1;
  target.width = target.stride = 8;
  CHECK(tamis_pattern_count() > 0);
  for (pattern = 0; pattern < tamis_pattern_count(); ++pattern) {
    CHECK(strlen(tamis_pattern_sketch(pattern)) > 0);
    CHECK_OK(tamis_generate(tamis_pattern_name(pattern), 1, &target, 0, &error));
  }
  CHECK(strcmp(tamis_pattern_name(-1), "") == 0 && strcmp(tamis_pattern_sketch(pattern), "") == 0);
}

static void every_known_device_is_found_by_its_name(void) {
  int32_t number;
  CHECK(tamis_device_known_count() > 0);
  for (number = 0; number < tamis_device_known_count(); ++number) {
    tamis_device* device = NULL;
    CHECK_OK(tamis_device_known(tamis_device_known_name(number), &device, &error));
    CHECK(strcmp(tamis_device_name(device), tamis_device_known_name(number)) == 0);
    tamis_device_free(device);
  }
  CHECK(strcmp(tamis_device_known_name(-1), "") == 0 && strcmp(tamis_device_known_name(number), "") == 0);
}

static void merge_joins_two_shards(const tamis_device* device) {
  static const float list_scores[2 * 2] = {5.0f, 1.0f, 5.0f, 3.0f};
  static const int32_t list_positions[2 * 2] = {1, 0, 7, 6};
  int32_t indices[2] = {-7, -7};
  tamis_merge_shape shape = TAMIS_MERGE_SHAPE_INIT;
  tamis_lists lists = TAMIS_LISTS_INIT;
  tamis_output output = TAMIS_OUTPUT_INIT;
  tamis_plan* plan = NULL;
  void* workspace;
  shape.rows = 1;
  shape.lists = 2;
  shape.capacity = 2;
  shape.k = 2;
  shape.order = TAMIS_ORDER_BY_SCORE;
  lists.scores = list_scores;
  lists.positions = list_positions;
  output.indices = indices;
  CHECK_OK(tamis_plan_merge(&shape, device, &plan, &error));
  workspace = malloc(tamis_plan_workspace_bytes(plan) + 1);
  CHECK_OK(tamis_merge(plan, &lists, &output, workspace, tamis_plan_workspace_bytes(plan), NULL, &error));
  CHECK(indices[0] == 1 && indices[1] == 7);
  free(workspace);
  tamis_plan_free(plan);
}

static void plan_describes_itself(const tamis_shape* shape, const tamis_device* device, const tamis_plan* plan) {
  tamis_plan* twin = NULL;
  CHECK_OK(tamis_plan_select(shape, device, &twin, &error));
  CHECK(tamis_plan_equal(plan, twin) == 1);
  CHECK(strlen(tamis_plan_method(plan)) > 0);
  CHECK(strstr(tamis_plan_text(plan), tamis_plan_method(plan)) != NULL);
  CHECK(tamis_plan_json(plan)[0] == '{');
  CHECK(strcmp(tamis_device_name(device), "cpu") == 0);
  tamis_plan_free(twin);
}

int main(void) {
  tamis_shape shape = make_shape();
  tamis_device* device = NULL;
  tamis_plan* plan = NULL;
  CHECK(tamis_version_number() == TAMIS_VERSION_MAJOR * 10000 + TAMIS_VERSION_MINOR * 100 + TAMIS_VERSION_PATCH);
  CHECK(tamis_device_count(TAMIS_CPU) == 1);
  CHECK_OK(tamis_device_present(TAMIS_CPU, 0, &device, &error));
  CHECK_OK(tamis_plan_select(&shape, device, &plan, &error));
  if (failures == 0) {
    plan_describes_itself(&shape, device, plan);
    select_maps_and_counts(&shape, plan);
    merge_joins_two_shards(device);
    every_pattern_is_generated();
    every_known_device_is_found_by_its_name();
  }
  tamis_plan_free(plan);
  tamis_device_free(device);
  return failures;
}
