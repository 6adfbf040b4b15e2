// What is measured (Cell), what a method is given (Task), and what a method is (Method): a name, the cells it takes
// and a function that enqueues one selection. Experiments and the library plug in alike.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tamis::bench {

inline constexpr std::int32_t page_size = 64;

// One line of the grid. `scores` names a pattern of scores.hpp.
struct Cell {
  std::int64_t rows = 0;
  std::int64_t length = 0;
  std::int64_t k = 0;
  std::string scores = "normal";
  std::string cache = "warm";  // warm: every launch reads the same buffer; cold: one that no cache holds

  bool operator==(const Cell&) const = default;
};

// One selection: fp32 scores, device lengths, a page table of pages of 64, int32 slots; ties at the lowest position.
struct Task {
  std::int64_t rows = 0;
  std::int64_t length = 0;  // of every row, as the planner's width; the device reads `lengths`
  std::int64_t k = 0;
  const float* scores = nullptr;
  std::int64_t stride = 0;  // in elements: the length rounded up to 16 bytes, as producers of scores allocate it
  const std::int32_t* lengths = nullptr;
  const std::int32_t* pages = nullptr;  // [rows, columns]
  std::int64_t columns = 0;
  std::int32_t* slots = nullptr;  // [rows, k]
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

struct Method {
  std::string name;
  std::function<bool(const Task& task)> takes;
  std::function<std::size_t(const Task& task)> workspace_bytes;
  std::function<void(const Task& task, cudaStream_t stream)> enqueue;
  std::function<std::string(const Task& task)> kernel = nullptr;  // which one, where the method chooses among several
};

// Every method of this build.
const std::vector<Method>& methods();

}  // namespace tamis::bench
