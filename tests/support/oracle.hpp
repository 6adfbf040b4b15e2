// An obviously right selection to hold the library against: every window is sorted whole, with scores turned into
// doubles and the contract's order spelled out rule by rule. It shares nothing with src/.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::testing {

// A row's window after clamping, and what had to be clamped.
struct Window {
  std::int64_t start = 0, length = 0;
  bool bad_start = false, bad_length = false;
};

Window window(const Shape& shape, const Rows& rows, std::int64_t row);

// One position of a window, and what the outputs say of it.
struct Item {
  std::int64_t position = 0;
  std::int64_t slot = 0;
  double value = 0;
  std::uint32_t bits = 0;
};

// One row: its whole window, best first. The first n items are the selection under Ties::lowest_index.
struct Ranking {
  std::vector<Item> items;
  std::int64_t n = 0;
};

Ranking ranking(const Shape& shape, const Rows& rows, const Output& output, std::int64_t row);

// The n selected items in the order in which they must be written; Order::any gives ascending positions.
std::vector<Item> selection(const Ranking& ranking, const Shape& shape);

// Adds to `faults` what select must count for the row.
void add_faults(Faults& faults, const Shape& shape, const Rows& rows, const Output& output, std::int64_t row,
                const Ranking& ranking);

// Writes the selection to host memory as select must.
void oracle_select(const Shape& shape, const Rows& rows, const Output& output);

// Whether the scores of two items are equal under the contract.
bool tied(const Item& a, const Item& b);

// One score of an array: its bits and the number they stand for.
std::uint32_t bits_at(const void* scores, ScoreType type, std::int64_t i);
double value_of_bits(std::uint32_t bits, ScoreType type);

}  // namespace tamis::testing
