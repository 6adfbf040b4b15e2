// One row to judge, and the verdict on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/scores.hpp"
#include "verify/slots.hpp"

namespace tamis::verifier {

// What a row selects: n of the `length` scores from position 0 on, written at row `row` of the output.
struct Row {
  const Shape& shape;
  const Output& output;  // strides spelled out
  std::int64_t row;
  std::int64_t length;
  std::int64_t n;
  RowScores scores;
  SlotMap slots;

  // A row selected whole is written in ascending position whatever the order.
  Order order() const { return shape.order == Order::any && length <= shape.k ? Order::by_index : shape.order; }
  std::uint32_t written_score(std::int64_t entry) const;

  // Whether position a goes before position b, both within the window.
  bool before(std::int64_t a, std::int64_t b) const;
};

struct Verdict {
  Finding finding = Finding::none;
  std::int64_t entry = -1;
  std::int64_t position = -1;
  std::string text;

  bool wrong() const { return finding != Finding::none; }
};

// Row `row` of the arguments of `verify`, its window clamped as the contract says.
Row row_of(const Shape& shape, const Rows& rows, const Output& output, std::int64_t row);

// Marks of positions, all clear between uses; as long as the widest window.
using Marks = std::vector<bool>;

// Judges a row whose selected positions are known: `positions` holds n of them, which may be any numbers.
Verdict judge_positions(const Row& row, const std::vector<std::int64_t>& positions, Marks& marks);

// Judges a row by the multiset of its scores and slots, where positions cannot be told.
Verdict judge_values(const Row& row);

// Judges one row altogether.
Verdict judge(const Row& row, Marks& marks);

}  // namespace tamis::verifier
