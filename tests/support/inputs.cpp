// From a case to its arrays. Every draw follows from the case alone, equal on all machines.

#include "support/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

#include "support/oracle.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

std::vector<std::int32_t> repeated(const std::vector<std::int32_t>& values, std::int64_t count) {
  std::vector<std::int32_t> result;
  for (std::int64_t i = 0; i < count && !values.empty(); ++i) result.push_back(values[i % values.size()]);
  return result;
}

// The score pattern of `length` positions of a row.
std::vector<std::byte> drawn(const Case& c, std::int64_t row, std::int64_t length) {
  std::vector<std::byte> scores(length * score_bytes(c.shape.scores));
  const workload::Target target{
      .scores = scores.data(), .type = c.shape.scores, .rows = 1, .width = length, .stride = length};
  const Status status = workload::generate(c.pattern, c.seed, target, row);
  if (!status.ok()) throw std::invalid_argument(status.message);
  if (c.mask.numbers < 0) return scores;

  std::vector<std::int64_t> others(length);
  for (std::int64_t p = 0; p < length; ++p) others[p] = p;
  std::mt19937_64 random(c.seed + static_cast<std::uint64_t>(row));
  for (std::int64_t p = length - 1; p > 0; --p)
    std::swap(others[p], others[random() % static_cast<std::uint64_t>(p + 1)]);
  others.erase(others.begin(), others.begin() + std::min(c.mask.numbers, length));
  for (std::int64_t p : others) put_number(scores.data(), c.shape.scores, p, c.mask.others);
  return scores;
}

void fill_with_garbage(Inputs& in, const Case& c) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto count = static_cast<std::int64_t>(in.scores.size() / score_bytes(c.shape.scores));
  for (std::int64_t i = 0; i < count; ++i) put_number(in.scores.data(), c.shape.scores, i, i % 2 == 0 ? infinity : nan);
}

void draw_scores(Inputs& in, const Case& c) {
  const std::int64_t count = c.shape.rows == 0 ? 0 : (c.shape.rows - 1) * in.stride + c.shape.width;
  if (in.stride < c.shape.width) {  // rows overlap: one sequence for all
    in.scores = drawn(c, 0, count);
    return;
  }
  const std::size_t bytes = score_bytes(c.shape.scores);
  in.scores.resize(count * bytes);
  fill_with_garbage(in, c);
  for (std::int64_t r = 0; r < c.shape.rows; ++r) {
    const Window w = window(c.shape, in.rows(), r);
    const std::vector<std::byte> scores = drawn(c, r, w.length);
    std::copy(scores.begin(), scores.end(),
              in.scores.begin() + (r * in.stride + w.start) * static_cast<std::int64_t>(bytes));
  }
}

std::int64_t tables_of(const Case& c) {
  const std::int64_t rows = c.shape.rows;
  if (c.pages.rows == TableRows::own) return c.pages.stray_rows > 0 ? rows * 2 / 3 : rows;
  return rows / 2 + 2;
}

// Cumulative query counts over `tables` segments, some of them empty; with stray rows, the first and the last are
// covered by none.
std::vector<std::int32_t> segments(const Case& c, std::int64_t tables) {
  const std::int64_t first = c.pages.stray_rows > 0 ? 1 : 0;
  const std::int64_t last = c.shape.rows - first;
  std::vector<std::int32_t> cu_rows;
  for (std::int64_t t = 0; t <= tables; ++t) {
    const std::int64_t even = t - t % 3;  // runs of three equal bounds: two empty segments
    cu_rows.push_back(static_cast<std::int32_t>(t == tables ? last : first + (last - first) * even / tables));
  }
  return cu_rows;
}

std::vector<std::int32_t> table_rows(const Case& c, std::int64_t tables) {
  std::vector<std::int32_t> result;
  for (std::int64_t r = 0; r < c.shape.rows; ++r) {
    const bool stray = c.pages.stray_rows > 0 && r % c.pages.stray_rows == 1;
    const std::int64_t outside = r % 2 == 0 ? tables : -1 - r;
    result.push_back(static_cast<std::int32_t>(stray ? outside : (r * 7 + 3) % tables));
  }
  return result;
}

// Pages of a row are distinct, as those of a KV cache are.
std::int32_t page_number(const Case& c, std::int64_t t, std::int64_t column, std::int64_t columns) {
  if (c.pages.holes > 0 && (t + column) % c.pages.holes == 1) return -1 - static_cast<std::int32_t>(column);
  const std::int64_t spread = (column * 5 + t) % (columns % 5 == 0 ? columns + 1 : columns);
  return static_cast<std::int32_t>((c.pages.first_page + spread) & std::numeric_limits<std::int32_t>::max());
}

void draw_pages(Inputs& in, const Case& c) {
  const std::int64_t size = c.pages.page_size;
  std::int64_t last_start = 0;
  for (std::int32_t start : c.pages.page_start)
    last_start = std::max<std::int64_t>(last_start, std::min<std::int64_t>(start, 1000));
  const std::int64_t needed = (c.shape.width + last_start + size - 1) / size;
  in.table.page_size = c.pages.page_size;
  in.table.tables = tables_of(c);
  in.table.columns = std::max<std::int64_t>(0, needed - c.pages.missing_columns);
  in.table.stride = c.pages.stride_slack < 0 ? 0 : in.table.columns + c.pages.stride_slack;
  const std::int64_t lines = in.table.stride == 0 ? 1 : in.table.tables;
  // A table without columns is a null pointer.
  const std::int64_t entries = in.table.columns == 0 ? 0 : (lines - 1) * in.table.stride + in.table.columns;
  in.entries.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, entries)), -1);
  for (std::int64_t t = 0; t < lines; ++t)
    for (std::int64_t column = 0; column < in.table.columns; ++column)
      in.entries[t * in.table.stride + column] = page_number(c, t, column, in.table.columns);
  if (c.pages.rows == TableRows::table_of_row) in.table_of_row = table_rows(c, in.table.tables);
  if (c.pages.rows == TableRows::segments) in.cu_rows = segments(c, in.table.tables);
  in.page_start = repeated(c.pages.page_start, c.shape.rows);
}

const std::int32_t* pointer(const std::vector<std::int32_t>& values) {
  return values.empty() ? nullptr : values.data();
}

}  // namespace

void put_number(void* scores, ScoreType type, std::int64_t i, float number) {
  if (type == ScoreType::f32) {
    static_cast<float*>(scores)[i] = number;
    return;
  }
  const auto upper_half = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16);
  const auto half = std::bit_cast<std::uint16_t>(static_cast<_Float16>(number));
  static_cast<std::uint16_t*>(scores)[i] = type == ScoreType::bf16 ? upper_half : half;
}

Rows Inputs::rows() const {
  return {.scores = scores.data(), .stride = stride, .lengths = pointer(lengths), .starts = pointer(starts)};
}

Output Inputs::mapping(const Case& c) const {
  PageTable pages = table;
  pages.entries = pointer(entries);
  pages.table_of_row = pointer(table_of_row);
  pages.cu_rows = pointer(cu_rows);
  pages.page_start = pointer(page_start);
  return {.slot_type = c.slot_type, .mapping = c.mapping, .page_table = pages, .offsets = pointer(offsets)};
}

Inputs inputs_of(const Case& c) {
  Inputs in;
  const std::int64_t next_n = c.shape.length_rule.next_n;
  in.stride = c.shape.width + c.stride_slack;
  in.lengths = repeated(c.lengths, (c.shape.rows + next_n - 1) / next_n);
  in.starts = repeated(c.starts, c.shape.rows);
  in.offsets = repeated(c.offsets, c.shape.rows);
  if (c.mapping == Mapping::paged) draw_pages(in, c);
  draw_scores(in, c);
  return in;
}

}  // namespace tamis::testing
