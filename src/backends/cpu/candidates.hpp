// The candidates of a row: the scores that may still be among its best, as (key, position) in two arrays. Lent from
// the workspace. When they fill up they are settled to the best n so far; what was dropped can never be needed again.
#pragma once

#include <cstdint>

namespace tamis::detail::cpu {

struct Candidates {
  std::int32_t* keys;
  std::int32_t* positions;
  std::int32_t* spare_keys;       // as large as keys: scratch of narrow, of sorting, and for the sample
  std::int32_t* spare_positions;  // as large as positions: scratch of sorting
  std::int64_t capacity;
  std::int64_t count;
};

// What is known of the rank-th greatest key: its value, and how many keys are strictly greater.
struct Threshold {
  std::int32_t key;
  std::int64_t above;
};

}  // namespace tamis::detail::cpu
