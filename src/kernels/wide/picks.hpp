// The positions that a block has picked of a row, waiting to be written: on chip, in the memory of the histogram, which
// nobody needs any more, or in the workspace where there are more of them.
#pragma once

#include <cstdint>

#include "kernels/room.hpp"
#include "stages/histogram.hpp"

namespace tamis::kernels::wide {

// Bytes in the workspace for a row under way: its ranks, where they are sorted, then its positions.
constexpr std::int64_t room_bytes(const Shape& shape) { return (most_selected(shape) * 12 + 255) / 256 * 256; }

// Whether the positions of a row find room on chip.
constexpr bool picks_on_chip(const Shape& shape) { return most_selected(shape) <= stages::bins; }

// Two memories told apart by a branch: a pointer that may be to either costs a check at each access.
struct Picks {
  std::uint32_t* chip;
  std::uint32_t* workspace;
  bool on_chip;

  TAMIS_DEVICE static Picks of(const Shape& shape, stages::Histogram& histogram, std::byte* room) {
    return {histogram.count, reinterpret_cast<std::uint32_t*>(room + most_selected(shape) * 8), picks_on_chip(shape)};
  }

  TAMIS_DEVICE void put(int rank, int position) const {
    if (on_chip)
      chip[rank] = static_cast<std::uint32_t>(position);
    else
      workspace[rank] = static_cast<std::uint32_t>(position);
  }
  TAMIS_DEVICE int position(int rank) const { return static_cast<int>(on_chip ? chip[rank] : workspace[rank]); }
};

}  // namespace tamis::kernels::wide
