// See problem.hpp.

#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "options.hpp"

namespace tamis::cli {
namespace {

Error wrong(const npy::File& file, std::string_view reason) {
  return Error(Exit::usage, fmt::format("{} is '{}'; {}", file.argument, file.path, reason));
}

[[noreturn]] void refuse(const std::string& message) { throw Error(Exit::usage, message); }

// Options that only mean something beside others.
void require_consistent(const ProblemOptions& options) {
  if (options.page_table && options.page_size == 0) refuse("--page-size is missing; --page-table needs it");
  if (options.page_table && options.offsets)
    refuse("--page-table and --offsets are both given; at most one of them may be");
  if (options.table_of_row && options.cu_rows)
    refuse("--table-of-row and --cu-rows are both given; at most one of them may be");
  if (options.page_table) return;
  if (options.page_size != 0) refuse("--page-size is given without --page-table");
  for (const auto& file : {options.table_of_row, options.cu_rows, options.page_start})
    if (file) refuse(fmt::format("{} is given without --page-table", file->argument));
}

ScoreType score_type(const npy::MappedArray& scores, const ProblemOptions& options) {
  const npy::Element element = scores.element();
  if (options.bf16 && element == npy::Element::u16) return ScoreType::bf16;
  if (!options.bf16 && element == npy::Element::f32) return ScoreType::f32;
  if (!options.bf16 && element == npy::Element::f16) return ScoreType::f16;
  throw wrong(scores.file(), fmt::format("its elements are {}; they must be {}", npy::descr(element),
                                         options.bf16 ? "<u2, as --bf16 is given" : "<f4 or <f2, or <u2 with --bf16"));
}

}  // namespace

void add_problem_options(CLI::App& app, ProblemOptions& options) {
  constexpr const char* input = "Input";
  constexpr const char* mapping = "Slots";
  add_file(app, "--scores", options.scores, "f4 or f2 scores, [rows, width] or [width]")->required()->group(input);
  app.add_flag("--bf16", options.bf16, "the scores are bf16, stored as u2")->group(input);
  add_file(app, "--lengths", options.lengths, "valid scores a row, [ceil(rows / next-n)]; default: the width")
      ->group(input);
  add_file(app, "--starts", options.starts, "first column of each row's window, [rows]; default: 0")->group(input);
  add_selection_options(app, options.shape);
  add_file(app, "--page-table", options.page_table, "page numbers, [tables, columns]: slots go through it")
      ->group(mapping);
  add_integer(app, "--page-size", options.page_size, positive, "tokens a page holds")->group(mapping);
  add_file(app, "--table-of-row", options.table_of_row, "row of the page table for each row, [rows]")->group(mapping);
  add_file(app, "--cu-rows", options.cu_rows, "or: rows of each table, cumulative, [tables + 1]")->group(mapping);
  add_file(app, "--page-start", options.page_start, "added to the positions of each row before paging, [rows]")
      ->group(mapping);
  add_file(app, "--offsets", options.offsets, "instead of pages: slot = position + offset of the row, [rows]")
      ->group(mapping);
}

std::vector<npy::File> input_files(const ProblemOptions& options) {
  std::vector<npy::File> files;
  for (const auto& file : {options.scores, options.lengths, options.starts, options.page_table, options.table_of_row,
                           options.cu_rows, options.page_start, options.offsets})
    if (file) files.push_back(*file);
  return files;
}

void require_shape(const npy::MappedArray& array, const npy::Dimensions& shape, std::string_view what) {
  if (array.shape() == shape) return;
  throw wrong(array.file(),
              fmt::format("its shape is {}; it must be {}: {}", npy::text(array.shape()), npy::text(shape), what));
}

Int32Array::Int32Array(npy::MappedArray array) : array_(std::move(array)) {
  if (array_.element() == npy::Element::i32) return;
  if (array_.element() != npy::Element::i64)
    throw wrong(array_.file(),
                fmt::format("its elements are {}; they must be <i4 or <i8", npy::descr(array_.element())));
  const std::span numbers(static_cast<const std::int64_t*>(array_.data()), static_cast<std::size_t>(array_.count()));
  const auto fits = [](std::int64_t number) { return number == static_cast<std::int32_t>(number); };
  const auto large = std::find_if_not(numbers.begin(), numbers.end(), fits);
  if (large != numbers.end())
    throw wrong(array_.file(),
                fmt::format("its element {} is {}; it must fit an int32", large - numbers.begin(), *large));
  converted_.assign(numbers.begin(), numbers.end());
}

Int32Array::Int32Array(const npy::File& file, const npy::Dimensions& shape, std::string_view what)
    : Int32Array(npy::MappedArray(file)) {
  require_shape(array_, shape, what);
}

const std::int32_t* Int32Array::data() const {
  return array_.element() == npy::Element::i32 ? static_cast<const std::int32_t*>(array_.data()) : converted_.data();
}

ProblemFiles::ProblemFiles(const ProblemOptions& options) : scores_(*options.scores) {
  require_consistent(options);
  set_size(options);
  set_windows(options);
  if (options.page_table) set_page_table(options);
  if (options.offsets) problem_.mapping = Mapping::ragged;
  problem_.offsets = integers(options.offsets, {problem_.shape.rows}, "an offset a row");
}

void ProblemFiles::set_size(const ProblemOptions& options) {
  const npy::Dimensions& shape = scores_.shape();
  if (shape.empty() || shape.size() > 2)
    throw wrong(scores_.file(), fmt::format("its shape is {}; it must be (rows, width) or (width,)", npy::text(shape)));
  problem_.shape = options.shape;
  problem_.shape.scores = score_type(scores_, options);
  problem_.shape.rows = shape.size() == 2 ? shape.front() : 1;
  problem_.shape.width = shape.back();
  if (problem_.shape.rows < 1 || problem_.shape.rows > INT32_MAX || problem_.shape.width > INT32_MAX)
    throw wrong(scores_.file(), fmt::format("its shape is {}; it must have 1 .. {} rows of at most {} scores",
                                            npy::text(shape), INT32_MAX, INT32_MAX));
}

void ProblemFiles::set_windows(const ProblemOptions& options) {
  const std::int64_t next_n = problem_.shape.length_rule.next_n;
  const std::int64_t requests = (problem_.shape.rows + next_n - 1) / next_n;
  problem_.rows = {.scores = scores_.data(),
                   .stride = problem_.shape.width,
                   .lengths = integers(options.lengths, {requests}, "a length a request"),
                   .starts = integers(options.starts, {problem_.shape.rows}, "a start a row")};
}

void ProblemFiles::set_page_table(const ProblemOptions& options) {
  Int32Array table{npy::MappedArray(*options.page_table)};
  const npy::Dimensions& shape = table.shape();
  if (shape.size() != 2 || shape[0] > INT32_MAX || shape[1] > INT32_MAX)
    throw wrong(*options.page_table, fmt::format("its shape is {}; it must be (tables, columns)", npy::text(shape)));
  const std::int64_t rows = problem_.shape.rows;
  problem_.mapping = Mapping::paged;
  problem_.page_table = {.entries = table.data(),
                         .tables = shape[0],
                         .columns = shape[1],
                         .stride = shape[1],
                         .page_size = options.page_size,
                         .table_of_row = integers(options.table_of_row, {rows}, "a row of the page table a row"),
                         .cu_rows = integers(options.cu_rows, {shape[0] + 1}, "the tables and one more"),
                         .page_start = integers(options.page_start, {rows}, "a start a row")};
  integers_.push_back(std::move(table));
}

const std::int32_t* ProblemFiles::integers(const std::optional<npy::File>& file, const npy::Dimensions& shape,
                                           std::string_view what) {
  if (!file) return nullptr;
  return integers_.emplace_back(*file, shape, what).data();
}

std::int64_t window_bytes(const Problem& problem) {
  const auto& [shape, rows, mapping, page_table, offsets] = problem;
  const std::int64_t next_n = shape.length_rule.next_n;
  std::int64_t scores = 0;
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    const std::int64_t start = rows.starts != nullptr ? rows.starts[r] : 0;
    if (start < 0 || start > shape.width) continue;
    const std::int64_t seen =
        (rows.lengths != nullptr ? rows.lengths[r / next_n] : shape.width) - next_n + r % next_n + 1;
    scores += std::clamp<std::int64_t>(seen / shape.length_rule.divisor, 0, shape.width - start);
  }
  return scores * static_cast<std::int64_t>(score_bytes(shape.scores));
}

}  // namespace tamis::cli
