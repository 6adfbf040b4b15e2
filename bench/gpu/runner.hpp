// Measures a method on a cell: makes scores, lengths and page tables, judges the selection before it is timed and once
// more after the last replay, and takes the read-once floor of the same buffers.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "check.hpp"
#include "protocol.hpp"
#include "task.hpp"

namespace tamis::bench {

struct Record {
  Cell cell;
  std::string method;
  Timing timing;  // zero when the selection was not exact
  double floor_us = 0;
  std::string finding;  // "" when exact, else what was wrong

  bool exact() const { return finding.empty(); }
};

class Runner {
 public:
  explicit Runner(Protocol& protocol) : protocol_(protocol) {}

  // Makes the cell's input. Everything below is about this cell.
  void prepare(const Cell& cell);
  bool takes(const Method& method) const { return method.takes(task_); }
  Record measure(const Method& method);

 private:
  double floor_us();
  Task task_of(int launch) const;
  std::string judge(int launch);

  Protocol& protocol_;
  Check check_;
  Cell cell_;
  Cache cache_ = Cache::warm;
  Task task_;
  int buffers_ = 1;
  Buffer<float> scores_;
  Buffer<std::int32_t> lengths_, slots_;
  Buffer<char> workspace_;
  Pages pages_;
  std::map<std::tuple<std::int64_t, std::int64_t, Cache>, double> floors_;
};

}  // namespace tamis::bench
