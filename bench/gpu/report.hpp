// Results as a CSV file for tools and as a table against the baselines for people.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "cells.hpp"
#include "floor.hpp"
#include "runner.hpp"

namespace tamis::bench {

// The most a cell may take: 0.9 of the best peer and 1.2 of the floor with its output written, plus 2 us.
double target_us(const Record& record, const Baseline& baseline);

// A file of results, whole after every record: a run that is cut short keeps what it measured. Nothing where the path
// is empty.
class ResultFile {
 public:
  ResultFile(const std::string& path, std::string commit);
  void add(const Record& record);

 private:
  std::ofstream file_;
  std::string commit_;
};

void print_machine(const Machine& machine);
void print_heading();
// One line; `baseline` is null for a cell the field was not measured on.
void print_record(const Record& record, const Baseline* baseline);
// Counts, geometric means against floor, best peer and best exact peer, and the cells furthest from their target,
// over the fastest exact method of each cell.
void print_summary(const std::vector<Record>& records, const std::vector<Baseline>& baselines);

const Baseline* find(const std::vector<Baseline>& baselines, const Cell& cell);

}  // namespace tamis::bench
