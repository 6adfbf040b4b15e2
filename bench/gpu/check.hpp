// Judges a selection on the device, by other means than selecting: the slots of a row must be n distinct positions of
// it, and the number of scores at least as good as the worst of them (strict order: greater score, then lower
// position; -0.0 equals +0.0; NaN below -inf) must be n. No other set passes. Entries past n must be -1.
#pragma once

#include <cstdint>
#include <string>

#include "cuda.hpp"
#include "task.hpp"

namespace tamis::bench {

// Page tables whose pages are scattered and each used once, with the way back from page to (row, column).
struct Pages {
  Buffer<std::int32_t> table;    // [rows, columns]
  Buffer<std::int32_t> inverse;  // page -> row * columns + column
  std::int64_t columns = 0;
};
void scatter_pages(Pages& pages, std::int64_t rows, std::int64_t length, cudaStream_t stream);

class Check {
 public:
  // Fills the task's slots with what no method writes.
  void poison(const Task& task, cudaStream_t stream);
  // "" when exact, else the first wrong row and why. Waits for the stream.
  std::string judge(const Task& task, const Pages& pages, cudaStream_t stream);

 private:
  Buffer<std::uint32_t> seen_;
  Buffer<std::int32_t> finding_;
};

}  // namespace tamis::bench
