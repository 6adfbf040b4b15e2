#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace tamis::bench {
namespace {

constexpr double write_bytes_per_us = 4.68e6;  // DRAM write bandwidth of an H200

// A running geometric mean.
struct GeometricMean {
  double sum = 0;
  int count = 0;
  void add(double ratio) {
    sum += std::log(ratio);
    ++count;
  }
  double value() const { return count == 0 ? 0.0 : std::exp(sum / count); }
};

struct Judgement {
  Record record;
  const Baseline* baseline;
  double over_target() const { return record.timing.median_us / target_us(record, *baseline); }
};

// The fastest exact record of each cell that has a baseline.
std::vector<Judgement> fastest(const std::vector<Record>& records, const std::vector<Baseline>& baselines) {
  std::vector<Judgement> list;
  for (const Record& record : records) {
    const Baseline* baseline = find(baselines, record.cell);
    if (!record.exact() || baseline == nullptr) continue;
    const auto same =
        std::find_if(list.begin(), list.end(), [&](const Judgement& j) { return j.baseline == baseline; });
    if (same == list.end()) {
      list.push_back({record, baseline});
    } else if (record.timing.median_us < same->record.timing.median_us) {
      same->record = record;
    }
  }
  return list;
}

}  // namespace

double target_us(const Record& record, const Baseline& baseline) {
  const double output_bytes = static_cast<double>(record.cell.rows * record.cell.k) * sizeof(std::int32_t);
  return std::min(0.9 * baseline.best_us, 1.2 * (record.floor_us + output_bytes / write_bytes_per_us) + 2.0);
}

const Baseline* find(const std::vector<Baseline>& baselines, const Cell& cell) {
  const auto found =
      std::find_if(baselines.begin(), baselines.end(), [&](const Baseline& b) { return b.cell == cell; });
  return found == baselines.end() ? nullptr : &*found;
}

ResultFile::ResultFile(const std::string& path, std::string commit) : commit_(std::move(commit)) {
  if (path.empty()) return;
  file_.open(path);
  if (!file_) throw std::runtime_error(path + ": cannot be written");
  file_ << "rows,length,k,scores,cache,output,ties,order,time_us,p10_us,p90_us,floor_us,method,exact,commit\n";
}

void ResultFile::add(const Record& r) {
  if (!file_.is_open()) return;
  char times[80];
  std::snprintf(times, sizeof times, "%.3f,%.3f,%.3f,%.3f", r.timing.median_us, r.timing.p10_us, r.timing.p90_us,
                r.floor_us);
  file_ << r.cell.rows << ',' << r.cell.length << ',' << r.cell.k << ',' << r.cell.scores << ',' << r.cell.cache
        << ",slots_page64,lowest_index,any," << times << ',' << r.method << ',' << (r.exact() ? 1 : 0) << ',' << commit_
        << std::endl;
  if (!file_) throw std::runtime_error("a result cannot be written");
}

void print_machine(const Machine& machine) {
  std::printf("empty kernel %.2f us (1 block), %.2f us (132 blocks); dependent chain %.2f us; copy %.2f TB/s\n",
              machine.empty_us, machine.empty_full_us, machine.chain_us, machine.copy_bytes_per_s * 1e-12);
}

void print_heading() {
  std::printf("%5s %8s %5s %-13s %-5s %-16s %8s %8s %7s %8s %7s %8s\n", "rows", "length", "k", "scores", "cache",
              "method", "us", "floor", "/floor", "peer", "/peer", "/target");
}

void print_record(const Record& r, const Baseline* baseline) {
  std::printf("%5lld %8lld %5lld %-13s %-5s %-16s ", static_cast<long long>(r.cell.rows),
              static_cast<long long>(r.cell.length), static_cast<long long>(r.cell.k), r.cell.scores.c_str(),
              r.cell.cache.c_str(), r.method.c_str());
  if (!r.exact()) {
    std::printf("WRONG %s\n", r.finding.c_str());
  } else {
    const double t = r.timing.median_us;
    std::printf("%8.2f %8.2f %7.2f ", t, r.floor_us, t / r.floor_us);
    if (baseline == nullptr) {
      std::printf("%8s %7s %8s\n", "-", "-", "-");
    } else {
      std::printf("%8.2f %7.2f %8.2f\n", baseline->best_us, t / baseline->best_us, t / target_us(r, *baseline));
    }
  }
  std::fflush(stdout);
}

void print_summary(const std::vector<Record>& records, const std::vector<Baseline>& baselines) {
  std::vector<Judgement> list = fastest(records, baselines);
  GeometricMean floor, best, best_exact;
  int met = 0;
  for (const Judgement& j : list) {
    floor.add(j.record.timing.median_us / j.record.floor_us);
    best.add(j.record.timing.median_us / j.baseline->best_us);
    best_exact.add(j.record.timing.median_us / j.baseline->best_exact_us);
    met += j.over_target() <= 1.0;
  }
  const auto wrong = std::count_if(records.begin(), records.end(), [](const Record& r) { return !r.exact(); });
  std::printf("%zu records, %td wrong; %zu cells with a baseline, %d at their target\n", records.size(), wrong,
              list.size(), met);
  std::printf("geometric means: %.2f of the floor, %.2f of the best peer, %.2f of the best exact peer\n", floor.value(),
              best.value(), best_exact.value());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.over_target() > b.over_target(); });
  std::printf("furthest from the target:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 8); ++i)
    print_record(list[i].record, list[i].baseline);
}

}  // namespace tamis::bench
