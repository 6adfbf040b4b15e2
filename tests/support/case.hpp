// A test case is data: what is selected, from which scores, through which page table. Every backend runs the same list;
// the runner turns a case into inputs, takes it through a device and holds the outputs against the oracle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::testing {

// The smallest machine a case is meant for.
enum class Size {
  emulator,  // up to 2^15 scores: a host emulator of a GPU runs it in a moment
  cpu,       // up to 2^21 scores
  gpu,       // beyond: judged by verify alone, the oracle would take too long
};

// Which rows of the page table the rows of the batch use.
enum class TableRows {
  own,           // row r uses row r
  table_of_row,  // hashed
  segments,      // cu_rows, some segments empty
};

// The page table of a paged case. Vectors are repeated over the rows; empty means absent.
struct Pages {
  std::int32_t page_size = 64;
  TableRows rows = TableRows::own;
  std::int64_t missing_columns = 0;      // columns fewer than the windows need
  std::int64_t stride_slack = 0;         // table stride past its columns; -1: stride 0, one row for all
  std::int64_t holes = 0;                // one page of so many is negative; 0: none
  std::int32_t first_page = 0;           // the lowest page number; great ones make an int32 slot overflow
  std::int64_t stray_rows = 0;           // one row of so many finds no row of the table; 0: none
  std::vector<std::int32_t> page_start;  // may be negative
};

// After the pattern is drawn, all but `numbers` hashed positions of a row get the score `others`.
struct Mask {
  std::int64_t numbers = -1;  // -1: no mask
  float others = 0;
};

// Which outputs are asked for, as bits.
namespace wanted {
constexpr unsigned indices = 1, slots = 2, scores = 4, counts = 8, faults = 16, everything = 31;
}

struct Case {
  std::string sentence;  // of the contract: what the case shows
  std::string name;      // unique within the sentence
  Shape shape;
  std::string pattern = "normal";  // of tamis::workload
  std::uint64_t seed = 1;
  Mask mask{};
  std::vector<std::int32_t> lengths;  // repeated over the requests; empty: absent
  std::vector<std::int32_t> starts;   // repeated over the rows; empty: absent
  std::int64_t stride_slack = 0;      // stride past the width
  std::int64_t misalignment = 0;      // elements by which the base is off a 256-byte boundary
  unsigned outputs = wanted::everything;
  std::int64_t output_slack = 0;  // output strides past k; each output has another
  Mapping mapping = Mapping::none;
  SlotType slot_type = SlotType::i32;
  Pages pages{};
  std::vector<std::int32_t> offsets;  // of ragged slots, repeated over the rows

  Size size() const;
};

// Every case, in a fixed order, names unique.
const std::vector<Case>& cases();

// The parts of the list, by section of the contract.
std::vector<Case> input_cases();
std::vector<Case> selection_cases();
std::vector<Case> output_cases();
std::vector<Case> shape_cases();

}  // namespace tamis::testing
