// usage: tamis_bench_gpu CELLS.csv [--baselines FILE] [--csv FILE] [--methods NAME,NAME...] [--commit HASH]
// Measures every method that takes a cell (or the named ones), cell by cell, and reports against the baselines.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <sstream>
#include <stdexcept>

#include "report.hpp"

namespace tamis::bench {
namespace {

struct Options {
  std::string cells;
  std::map<std::string, std::string> named;

  std::string get(const std::string& name) const {
    const auto found = named.find(name);
    return found == named.end() ? "" : found->second;
  }
};

Options parse(int count, char** words) {
  const std::vector<std::string> known = {"--baselines", "--csv", "--methods", "--commit"};
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word.rfind("--", 0) != 0) {
      options.cells = word;
    } else if (std::find(known.begin(), known.end(), word) == known.end() || i + 1 == count) {
      throw std::invalid_argument(word + ": no such option, or its value is missing");
    } else {
      options.named[word] = words[++i];
    }
  }
  if (options.cells.empty())
    throw std::invalid_argument(
        "usage: tamis_bench_gpu CELLS.csv [--baselines FILE] [--csv FILE] [--methods NAME,NAME...] [--commit HASH]");
  return options;
}

std::vector<Method> chosen_methods(const std::string& names) {
  if (names.empty()) return {methods().front()};
  if (names == "kernels") return {methods().begin() + 2, methods().end()};
  std::vector<Method> chosen;
  std::istringstream stream(names);
  for (std::string name; std::getline(stream, name, ',');) {
    const auto found =
        std::find_if(methods().begin(), methods().end(), [&](const Method& m) { return m.name == name; });
    if (found == methods().end()) throw std::invalid_argument("--methods: \"" + name + "\" is no method of this build");
    chosen.push_back(*found);
  }
  return chosen;
}

int run(const Options& options) {
  const std::vector<Cell> cells = read_cells(options.cells);
  const std::string baselines_path = options.get("--baselines");
  const std::vector<Baseline> baselines =
      baselines_path.empty() ? std::vector<Baseline>{} : read_baselines(baselines_path);
  const std::vector<Method> candidates = chosen_methods(options.get("--methods"));
  Protocol protocol;
  protocol.warm_up();
  print_machine(measure_machine(protocol));
  print_heading();
  Runner runner(protocol);
  ResultFile file(options.get("--csv"), options.get("--commit"));
  std::vector<Record> records;
  for (const Cell& cell : cells) {
    runner.prepare(cell);
    for (const Method& method : candidates) {
      if (!runner.takes(method)) continue;
      records.push_back(runner.measure(method));
      file.add(records.back());
      print_record(records.back(), find(baselines, cell));
    }
  }
  print_summary(records, baselines);
  return std::all_of(records.begin(), records.end(), [](const Record& r) { return r.exact(); }) ? 0 : 1;
}

}  // namespace
}  // namespace tamis::bench

int main(int count, char** words) {
  try {
    return tamis::bench::run(tamis::bench::parse(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tamis_bench_gpu: %s\n", error.what());
    return 2;
  }
}
