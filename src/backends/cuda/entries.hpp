// The kernels of this build on NVIDIA, by name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tamis::cuda {

struct Entry {
  std::string_view name;
  const void* function;  // as the runtime names a kernel
};

std::span<const Entry> entries();

// The place of the entry of that name in entries(), or -1.
int find_entry(std::string_view name);

}  // namespace tamis::cuda
