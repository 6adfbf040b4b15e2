// What the hand-flattened twins begin with: the library's arguments, so that both are launched alike, and loads that
// are not hoisted above the wait for the previous kernel. Nothing of the vocabulary or the stages.
#pragma once

#include <cstdint>

#include "kernels/arguments.hpp"

// The next kernel may start; the one before has ended.
__device__ __forceinline__ void start_by_hand() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ int load_int(const std::int32_t* p) {
  int value;
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(value) : "l"(p));
  return value;
}
__device__ __forceinline__ std::uint32_t load_score(const std::uint32_t* p) {
  std::uint32_t value;
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(value) : "l"(p));
  return value;
}
__device__ __forceinline__ std::uint32_t load_score_once(const std::uint32_t* p) {
  std::uint32_t value;
  asm volatile("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(value) : "l"(p));
  return value;
}
__device__ __forceinline__ uint4 load_scores_once(const std::uint32_t* p) {
  uint4 pack;
  asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4];"
               : "=r"(pack.x), "=r"(pack.y), "=r"(pack.z), "=r"(pack.w)
               : "l"(p));
  return pack;
}

__device__ __forceinline__ void count_fault_by_hand(tamis::Fault* fault, int row) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&fault->count), 1ull);
  atomicMin(reinterpret_cast<unsigned long long*>(&fault->first_row), static_cast<unsigned long long>(row));
}

struct FlatWindow {
  int start = 0, length = 0, selected = 0;
  bool clamped = false, misplaced = false;
};

__device__ __forceinline__ FlatWindow window_by_hand(const tamis::kernels::Arguments& arguments, int row) {
  FlatWindow window;
  const int width = static_cast<int>(arguments.shape.width);
  const int start = arguments.rows.starts != nullptr ? load_int(arguments.rows.starts + row) : 0;
  if (start < 0 || start > width) {
    window.misplaced = true;
    return window;
  }
  const tamis::LengthRule rule = arguments.shape.length_rule;
  int seen = width;
  if (arguments.rows.lengths != nullptr)
    seen = load_int(arguments.rows.lengths + (rule.next_n == 1 ? row : row / rule.next_n));
  if (seen <= 0) {
    seen = 0;
  } else if (rule.next_n != 1 || rule.divisor != 1) {
    seen = seen - rule.next_n + row % rule.next_n + 1;
    seen = seen <= 0 ? 0 : seen / rule.divisor;
  }
  window.start = start;
  window.length = min(seen, width - start);
  window.clamped = seen > window.length;
  window.selected = arguments.shape.k < window.length ? static_cast<int>(arguments.shape.k) : window.length;
  return window;
}
