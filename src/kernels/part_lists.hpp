// What the parts of a split row leave in the workspace: a list and a count a part. Rooms to sort in come first, then
// the counts, then the lists.
#pragma once

#include "kernels/room.hpp"
#include "stages/candidates.hpp"

namespace tamis::kernels {

// Parts of a row; more would make the lists longer than what they spare.
inline constexpr int most_parts = 256;

constexpr std::int64_t part_counts_bytes(const Shape& shape, std::int64_t parts) {
  return (shape.rows * parts * static_cast<std::int64_t>(sizeof(std::uint32_t)) + 255) / 256 * 256;
}
constexpr std::int64_t part_lists_bytes(const Shape& shape, std::int64_t parts) {
  return shape.rows * parts * most_selected(shape) * static_cast<std::int64_t>(sizeof(stages::Candidate));
}

TAMIS_DEVICE std::byte* part_counts(const Arguments& arguments) {
  return arguments.workspace + arguments.workspace_bytes - part_lists_bytes(arguments.shape, arguments.parts) -
         part_counts_bytes(arguments.shape, arguments.parts);
}

TAMIS_DEVICE std::uint32_t* part_count(const Arguments& arguments, int row, int part) {
  return reinterpret_cast<std::uint32_t*>(part_counts(arguments)) + (std::int64_t{row} * arguments.parts + part);
}

TAMIS_DEVICE stages::Candidate* part_list(const Arguments& arguments, int row, int part) {
  std::byte* lists = part_counts(arguments) + part_counts_bytes(arguments.shape, arguments.parts);
  return reinterpret_cast<stages::Candidate*>(lists) +
         (std::int64_t{row} * arguments.parts + part) * most_selected(arguments.shape);
}

// All lists of a row as an ordered source, for when they do not fit on chip. A pack is an entry of a list.
template <ScoreType type>
struct PartLists : stages::Candidates<type> {
  const std::uint32_t* counts;
  int capacity;

  TAMIS_DEVICE bool holds(int pack, int) const {
    return static_cast<unsigned>(pack % capacity) < counts[pack / capacity];
  }
};

template <ScoreType type>
TAMIS_DEVICE PartLists<type> part_lists_of(const Arguments& arguments, int row) {
  const auto capacity = static_cast<int>(most_selected(arguments.shape));
  return {{part_list(arguments, row, 0), arguments.shape.nan, 0, arguments.parts * capacity},
          part_count(arguments, row, 0),
          capacity};
}

}  // namespace tamis::kernels
