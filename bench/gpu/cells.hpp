// Cells and the field's best times, read from CSV files whose header names the columns. A file of baselines is a list
// of cells as well.
#pragma once

#include <string>
#include <vector>

#include "task.hpp"

namespace tamis::bench {

// What the fastest other selectors took on the same cell, in microseconds.
struct Baseline {
  Cell cell;
  double floor_us = 0;
  double best_us = 0;
  std::string best_peer;
  double best_exact_us = 0;
  std::string best_exact_peer;
};

// Columns rows, length, k, scores and cache are needed, others ignored. Throws std::runtime_error naming file and line.
std::vector<Cell> read_cells(const std::string& path);
std::vector<Baseline> read_baselines(const std::string& path);

}  // namespace tamis::bench
