// The call that nearly all are: aligned rows of f32 scores read from column 0 on, lengths as they are given, and one
// output of 32-bit numbers, which are positions or slots in pages. What a kernel needs of it lies side by side, so that
// it takes two lines of the arguments; kernels for short rows have a copy of their journey for it, without what only
// other calls need.
#pragma once

#include <cstdint>

#include "simt/common.hpp"
#include "tamis/tamis.hpp"

namespace tamis::kernels {

struct UsualCall {
  // The least page that is taken: four scores side by side never straddle two pages, and a share's pages fit.
  static constexpr int least_page = 64;
  // Where no more positions than this are left out, they are looked for and no threshold.
  static constexpr int most_dropped = 4;

  const float* scores = nullptr;
  std::int64_t stride = 0;
  const std::int32_t* lengths = nullptr;  // null: width
  const std::int32_t* pages = nullptr;    // null: what is written are positions
  std::int64_t pages_stride = 0;
  std::int32_t* selected = nullptr;  // [rows, k]; null: the call is not a usual one
  std::int64_t selected_stride = 0;
  std::int32_t rows = 0;
  std::int32_t width = 0;
  std::int32_t k = 0;
  std::int32_t columns = 0;     // of the page table
  std::int32_t page_shift = 6;  // a page holds 2^page_shift positions

  TAMIS_DEVICE bool given() const { return selected != nullptr; }
};

// The call in short where it is a usual one. On the host.
UsualCall usual_call_of(const Shape& shape, const Rows& rows, const Output& output);

}  // namespace tamis::kernels
