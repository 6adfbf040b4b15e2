// The grid. A buffer of 32 MiB is far beyond a level-2 cache; a single row is what a small batch leaves hot in it.

#include "cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/workload.hpp"

namespace tamis::bench {
namespace {

constexpr std::int64_t buffer_scores = 8 << 20;
constexpr std::int64_t lengths[] = {2049, 8192, 16384, 65536, 131072, 262144, 1048576};
constexpr std::int64_t long_length = 131072;

std::int64_t rows_of(std::int64_t length) { return buffer_scores / length; }

std::string_view text(Selector selector) {
  switch (selector) {
    case Selector::floor:
      return "floor";
    case Selector::tamis:
      return "tamis";
    case Selector::nth_element:
      return "nth_element";
    case Selector::vqsort:
      return "vqsort";
  }
  return "unknown";
}

void add_lengths(std::vector<Cell>& cells) {
  for (const std::int64_t length : lengths) {
    for (const Selector selector : {Selector::floor, Selector::nth_element, Selector::vqsort})
      cells.push_back({.selector = selector, .rows = rows_of(length), .length = length});
    for (const std::int64_t k : {512, 1024, 2048}) cells.push_back({.rows = rows_of(length), .length = length, .k = k});
  }
}

void add_hot_rows(std::vector<Cell>& cells) {
  for (const std::int64_t length : {std::int64_t{16384}, long_length})
    for (const Selector selector : {Selector::floor, Selector::tamis})
      cells.push_back({.selector = selector, .rows = 1, .length = length});
}

void add_patterns(std::vector<Cell>& cells) {
  for (const auto& pattern : workload::patterns())
    if (pattern.name != "normal")
      cells.push_back({.pattern = std::string(pattern.name), .rows = rows_of(long_length), .length = long_length});
}

void add_options(std::vector<Cell>& cells) {
  const Cell base{.rows = rows_of(long_length), .length = long_length};
  const auto add = [&](auto change) { change(cells.emplace_back(base)); };
  add([](Cell& cell) { cell.order = Order::by_index; });
  add([](Cell& cell) { cell.order = Order::by_score; });
  add([](Cell& cell) { cell.page_size = 64; });
  add([](Cell& cell) { cell.page_size = 100; });
  for (const ScoreType type : {ScoreType::f16, ScoreType::bf16})
    for (const Selector selector : {Selector::floor, Selector::tamis})
      add([&](Cell& cell) { cell.scores = type, cell.selector = selector; });
}

void add_threads(std::vector<Cell>& cells, std::int32_t threads) {
  if (threads == 1) return;
  for (const std::int64_t length : {std::int64_t{16384}, long_length})
    cells.push_back({.rows = rows_of(length), .length = length, .threads = threads});
  for (const std::int64_t length : {long_length, std::int64_t{1048576}})
    cells.push_back({.rows = 1, .length = length, .threads = threads});
  cells.push_back({.rows = 1, .length = 1048576});
}

}  // namespace

std::string name(const Cell& cell) {
  return fmt::format("{}/{}/{}x{}/k{}/{}/{}/page{}/threads{}", text(cell.selector), cell.pattern, cell.rows,
                     cell.length, cell.k, tamis::name(cell.scores), tamis::name(cell.order), cell.page_size,
                     cell.threads);
}

std::vector<Cell> cells(std::int32_t most_threads) {
  std::vector<Cell> result;
  add_lengths(result);
  add_hot_rows(result);
  add_patterns(result);
  add_options(result);
  add_threads(result, most_threads);
  return result;
}

}  // namespace tamis::bench
