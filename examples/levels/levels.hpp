// The ladder, and what each level is launched with: a name, threads a block, blocks a cluster, the kernel.
#pragma once

#include "01_compare.hpp"
#include "02_digits.hpp"
#include "03_order.hpp"
#include "04_resident.hpp"
#include "05_filter.hpp"
#include "06_cluster.hpp"

#define TAMIS_LEVELS(LEVEL)         \
  LEVEL(compare, 256, 1, Compare)   \
  LEVEL(digits, 256, 1, Digits)     \
  LEVEL(order, 256, 1, InOrder)     \
  LEVEL(resident, 256, 1, Resident) \
  LEVEL(filter, 256, 1, Filter)     \
  LEVEL(cluster, 256, 4, Cluster)
