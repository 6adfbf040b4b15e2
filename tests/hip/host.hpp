// A selection on a device of the double, for the tests of host paths.
#pragma once

#include "backends/backend.hpp"
#include "hip/double.hpp"
#include "support/runner.hpp"

namespace tamis::testing {

inline const detail::BackendEntry& hip_backend() { return *detail::find_backend(Backend::hip); }

inline Device hip_device(int ordinal) { return devices(Backend::hip).value.at(static_cast<std::size_t>(ordinal)); }

// Small, but not whole, with every output, a page table and lengths.
inline Case small_case() {
  Case c{.sentence = "Host", .name = "small", .shape = {.rows = 3, .width = 700, .k = 40}};
  c.lengths = {700, 30, 500};
  c.mapping = Mapping::paged;
  return c;
}

// What is wrong with that case on the device; empty when nothing is.
inline std::string run_small(const Device& device, Stream stream = {}) {
  return run(prepare(small_case()), Machine{"hip", device, stream});
}

}  // namespace tamis::testing
