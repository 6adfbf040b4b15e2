/* Plans and asks for the version through the C ABI. Exits 0 when both answer. */

#include <stdio.h>

#include "tamis/tamis.h"

int main(void) {
  tamis_shape shape = TAMIS_SHAPE_INIT;
  tamis_device* device = NULL;
  tamis_plan* plan = NULL;
  tamis_error error = TAMIS_ERROR_INIT;
  shape.rows = 4;
  shape.width = 1000;
  shape.k = 100;
  if (tamis_device_cpu(1, &device, &error) == TAMIS_OK) (void)tamis_plan_select(&shape, device, &plan, &error);
  printf("tamis %s: %s%s\n", tamis_version(), tamis_plan_method(plan), error.message);
  tamis_device_free(device);
  tamis_plan_free(plan);
  return plan != NULL && tamis_version_number() >= 100 ? 0 : 1;
}
