// What `tamis bench` measures: cells, and named lists of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::cli {

struct Cell {
  std::int64_t rows = 1;
  std::int64_t length = 131072;
  std::int64_t k = 2048;
  std::string pattern = "normal";
};

struct Suite {
  std::string_view name;
  std::string_view sketch;
  std::vector<Cell> cells;
};

const std::vector<Suite>& suites();

}  // namespace tamis::cli
