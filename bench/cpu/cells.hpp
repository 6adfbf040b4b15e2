// What is measured, as data: a cell is one selector on one input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::bench {

enum class Selector { floor, tamis, nth_element, vqsort };

struct Cell {
  Selector selector = Selector::tamis;
  std::string pattern = "normal";
  std::int64_t rows = 0;
  std::int64_t length = 0;
  std::int64_t k = 2048;
  ScoreType scores = ScoreType::f32;
  Order order = Order::any;
  std::int32_t page_size = 0;  // 0: positions alone
  std::int32_t threads = 1;
};

// "tamis/normal/64x131072/k2048/f32/any/page0/threads1": every field, so that a result can be read without this file.
std::string name(const Cell& cell);

std::vector<Cell> cells(std::int32_t most_threads);

}  // namespace tamis::bench
