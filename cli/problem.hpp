// What select and verify work on: the score matrix, its windows and the mapping of slots, as files that the command
// line names, checked against each other and mapped into memory.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "npy.hpp"
#include "tamis/tamis.hpp"

namespace tamis::cli {

// Everything selection reads, in host memory.
struct Problem {
  Shape shape;
  Rows rows;
  Mapping mapping = Mapping::none;
  PageTable page_table{};
  const std::int32_t* offsets = nullptr;
};

// The options as they were given.
struct ProblemOptions {
  Shape shape;  // k, length rule, ties, order, nan
  std::optional<npy::File> scores;
  bool bf16 = false;
  std::optional<npy::File> lengths;
  std::optional<npy::File> starts;
  std::optional<npy::File> page_table;
  std::int32_t page_size = 0;  // 0: not given
  std::optional<npy::File> table_of_row;
  std::optional<npy::File> cu_rows;
  std::optional<npy::File> page_start;
  std::optional<npy::File> offsets;
};

void add_problem_options(CLI::App& app, ProblemOptions& options);

// Every file that the options name.
std::vector<npy::File> input_files(const ProblemOptions& options);

// Integers of an i4 or i8 file as int32.
class Int32Array {
 public:
  // Throws where the file holds other elements, another shape, or a number that an int32 cannot hold. `what` says in
  // words what stands in the file.
  Int32Array(const npy::File& file, const npy::Dimensions& shape, std::string_view what);
  explicit Int32Array(npy::MappedArray array);

  const npy::Dimensions& shape() const { return array_.shape(); }
  const std::int32_t* data() const;

 private:
  npy::MappedArray array_;
  std::vector<std::int32_t> converted_;  // of an i8 file
};

// Throws unless the array has this shape.
void require_shape(const npy::MappedArray& array, const npy::Dimensions& shape, std::string_view what);

// The problem, and the files that it lies in.
class ProblemFiles {
 public:
  explicit ProblemFiles(const ProblemOptions& options);

  const Problem& problem() const { return problem_; }
  npy::Element score_element() const { return scores_.element(); }  // u16 of bf16 scores

 private:
  const std::int32_t* integers(const std::optional<npy::File>& file, const npy::Dimensions& shape,
                               std::string_view what);
  void set_size(const ProblemOptions& options);
  void set_windows(const ProblemOptions& options);
  void set_page_table(const ProblemOptions& options);

  npy::MappedArray scores_;
  std::vector<Int32Array> integers_;
  Problem problem_;
};

// Bytes of the scores inside the windows: what any selector has to read.
std::int64_t window_bytes(const Problem& problem);

}  // namespace tamis::cli
