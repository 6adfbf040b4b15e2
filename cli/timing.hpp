// Times of repeated calls, and the read-once floor that they are held against.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace tamis::cli {

// Of one call, in seconds.
struct Timing {
  double p10 = 0;
  double median = 0;
  double p90 = 0;
  std::int64_t calls = 0;
};

// Calls `work` for at least `seconds` and at least 10 times, after one call that does not count.
Timing timed(const std::function<void()>& work, double seconds);

// Reads `bytes` once a call on `threads` threads of the host, a part each: no selection can take less where it must
// look at every score.
Timing read_floor(std::span<const std::byte> bytes, std::int32_t threads, double seconds);

}  // namespace tamis::cli
