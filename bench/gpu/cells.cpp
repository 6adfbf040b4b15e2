#include "cells.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace tamis::bench {
namespace {

// A line of a CSV file by column name.
using Line = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::vector<Line> read_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::string text;
  std::getline(file, text);
  const std::vector<std::string> names = split(text);
  std::vector<Line> lines;
  for (int number = 2; std::getline(file, text); ++number) {
    const std::vector<std::string> values = split(text);
    if (values.size() != names.size()) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + std::to_string(values.size()) +
                               " values under " + std::to_string(names.size()) + " columns");
    }
    Line line;
    for (std::size_t i = 0; i < names.size(); ++i) line[names[i]] = values[i];
    lines.push_back(line);
  }
  return lines;
}

const std::string& at(const Line& line, const char* name) {
  const auto found = line.find(name);
  if (found == line.end()) throw std::runtime_error(std::string("a file of cells needs the column ") + name);
  return found->second;
}

Cell cell_of(const Line& line) {
  Cell cell{std::stoll(at(line, "rows")), std::stoll(at(line, "length")), std::stoll(at(line, "k")), at(line, "scores"),
            at(line, "cache")};
  if (cell.cache != "warm" && cell.cache != "cold") {
    throw std::runtime_error("cache is \"" + cell.cache + "\", it must be warm or cold");
  }
  return cell;
}

}  // namespace

std::vector<Cell> read_cells(const std::string& path) {
  std::vector<Cell> cells;
  for (const Line& line : read_lines(path)) cells.push_back(cell_of(line));
  return cells;
}

std::vector<Baseline> read_baselines(const std::string& path) {
  std::vector<Baseline> baselines;
  for (const Line& line : read_lines(path)) {
    baselines.push_back({cell_of(line), std::stod(at(line, "floor_us")), std::stod(at(line, "best_us")),
                         at(line, "best_peer"), std::stod(at(line, "best_exact_us")), at(line, "best_exact_peer")});
  }
  return baselines;
}

}  // namespace tamis::bench
