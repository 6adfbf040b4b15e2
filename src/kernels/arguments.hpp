// What every kernel is launched with: the numbers and pointers of one call, as the public API states them. A POD
// passed by value. Strides are spelled out; arguments were checked on the host; what only the device can see
// (lengths, starts, table rows, pages) was not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/usual_call.hpp"
#include "tamis/tamis.hpp"

namespace tamis::kernels {

struct Arguments {
  Shape shape;    // rows, width, k, length rule and options; rows, width and k fit an int
  Rows rows;      // select: the scores and their windows
  Lists lists;    // merge: the candidate lists
  Output output;  // where the selection goes

  std::int32_t list_count = 0;     // merge: lists a row
  std::int32_t list_capacity = 0;  // merge: entries a list has room for
  std::int32_t parts = 1;          // blocks or clusters that share a row, each with a range of its packs

  std::byte* workspace = nullptr;    // 256-byte aligned; holds anything on entry
  std::int64_t workspace_bytes = 0;  // the plan's, not the caller's
  UsualCall usual;  // select: the same in short, where the call is a usual one

  std::int32_t shared_bytes = 0;     // of the launch: what lies behind the kernel's Shared is the tail
};

static_assert(std::is_trivially_copyable_v<Arguments>);

}  // namespace tamis::kernels
