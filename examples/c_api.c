/* The same as quickstart.cpp in C: selects the best positions of two rows, maps them through a page table, prints. */

#include <stdio.h>
#include <stdlib.h>

#include "tamis/tamis.h"

static void check(tamis_code code, const tamis_error* error) {
  if (code == TAMIS_OK) return;
  fprintf(stderr, "%s: %s\n", tamis_code_name(code), error->message);
  exit(1);
}

int main(void) {
  const float scores[2 * 5] = {0.5f, 2.0f, 1.0f, 2.0f, 0.0f, 3.0f, 0.0f, 0.0f, 0.0f, 1.0f};
  const int32_t page_table[2 * 3] = {7, 4, 9, 3, 8, 1}; /* pages of two tokens, three a row */
  int32_t indices[2 * 3];
  int32_t slots[2 * 3];
  tamis_error error = TAMIS_ERROR_INIT;
  tamis_shape shape = TAMIS_SHAPE_INIT;
  tamis_rows rows = TAMIS_ROWS_INIT;
  tamis_output output = TAMIS_OUTPUT_INIT;
  tamis_device* device = NULL;
  tamis_plan* plan = NULL;
  void* workspace;
  int row;

  shape.rows = 2;
  shape.width = 5;
  shape.k = 3;
  shape.order = TAMIS_ORDER_BY_SCORE;
  check(tamis_device_cpu(1, &device, &error), &error);
  check(tamis_plan_select(&shape, device, &plan, &error), &error);

  rows.scores = scores;
  rows.stride = 5;
  output.indices = indices;
  output.slots = slots;
  output.mapping = TAMIS_MAP_PAGED;
  output.page_table = page_table;
  output.tables = 2;
  output.columns = 3;
  output.page_table_stride = 3;
  output.page_size = 2;
  workspace = malloc(tamis_plan_workspace_bytes(plan) + 1);
  check(tamis_select(plan, &rows, &output, workspace, tamis_plan_workspace_bytes(plan), NULL, &error), &error);

  for (row = 0; row < 2; ++row) {
    const int32_t* i = indices + 3 * row;
    const int32_t* s = slots + 3 * row;
    printf("row %d: positions %d %d %d, slots %d %d %d\n", row, i[0], i[1], i[2], s[0], s[1], s[2]);
  }
  free(workspace);
  tamis_plan_free(plan);
  tamis_device_free(device);
  return 0;
}
