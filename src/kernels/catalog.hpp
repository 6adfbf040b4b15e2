// The list of kernels as the host sees it: what the planner needs to know of each to launch it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tamis::kernels {

struct Instance {
  std::string_view name;
  std::int32_t threads;          // a block
  std::int32_t blocks_per_unit;  // that its registers leave room for
  std::int32_t cluster;          // blocks a cluster
  std::int64_t shared_bytes;     // where its tail begins
};

std::span<const Instance> instances();

// The instance of that name, or null.
const Instance* find_instance(std::string_view name);

}  // namespace tamis::kernels
