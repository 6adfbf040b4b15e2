// The caller's workspace, cut up as the plan's layout says. Every piece is written before it is read.
#pragma once

#include "backends/cpu/candidates.hpp"
#include "plan/cpu.hpp"

namespace tamis::detail::cpu {

// What one part of a split row selected: candidates in ascending position.
struct PartList {
  std::int64_t* count;
  std::int32_t* keys;
  std::int32_t* positions;
};

class Scratch {
 public:
  Scratch(const CpuLayout& layout, Workspace workspace);

  // The empty buffer of a worker.
  Candidates candidates(std::int64_t worker) const;
  PartList list(std::int64_t task) const;

 private:
  CpuLayout layout_;
  std::byte* base_;
};

}  // namespace tamis::detail::cpu
