// Registers every cell with Google Benchmark. A cell's time is that of all its rows.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "buffers.hpp"
#include "selection.hpp"

namespace tamis::bench {
namespace {

void measure(benchmark::State& state, const Cell& cell) {
  const Selection selection = make_selection(cell, scores_of(cell));
  selection();
  for (auto iteration : state) {
    selection();
    benchmark::ClobberMemory();
  }
  state.counters["rows"] = static_cast<double>(cell.rows);
}

void enroll() {
  const auto threads = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  for (const Cell& cell : cells(threads))
    benchmark::RegisterBenchmark(name(cell).c_str(), [cell](benchmark::State& state) { measure(state, cell); })
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
  benchmark::AddCustomContext("compiler", TAMIS_COMPILER);
  benchmark::AddCustomContext("tamis_version", std::string(version()));
}

}  // namespace
}  // namespace tamis::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  tamis::bench::enroll();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
