// verify: judges any selector's output, row by row, sharing nothing with select. Positions from indices or slots where
// they can be told (positions.cpp), the multiset of values where they cannot (values.cpp). Whatever the output holds,
// nothing outside the caller's arrays is read.

#include <fmt/format.h>

#include "check/check.hpp"
#include "verify/row.hpp"

namespace tamis {
namespace {

using verifier::Verdict;

void record(Report& report, std::int64_t row, Verdict verdict) {
  if (report.wrong_rows++ > 0) return;
  report.finding = verdict.finding;
  report.row = row;
  report.entry = verdict.entry;
  report.position = verdict.position;
  const std::string where = verdict.entry < 0 ? "" : fmt::format(", entry {}", verdict.entry);
  report.message = fmt::format("{} in row {}{}: {}", name(verdict.finding), row, where, verdict.text);
}

}  // namespace

Result<Report> verify(const Shape& shape, const Rows& rows, const Output& output) {
  if (Status status = detail::check(shape); !status.ok()) return {status};
  if (Status status = detail::check(shape, rows); !status.ok()) return {status};
  if (Status status = detail::check(shape.rows, shape.k, shape.scores, output); !status.ok()) return {status};

  const Output spelled_out = detail::spelled_out(output, shape.k);
  verifier::Marks marks(shape.rows > 0 ? shape.width : 0);
  Report report;
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    Verdict verdict = judge(verifier::row_of(shape, rows, spelled_out, r), marks);
    if (verdict.wrong()) record(report, r, std::move(verdict));
  }
  report.rows = shape.rows;
  return {{}, std::move(report)};
}

}  // namespace tamis
