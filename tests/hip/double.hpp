// The double of the HIP runtime, and how a test drives it. It is a shared library by the runtime's name, which only
// tests put where it is found. It loads the embedded code objects as the runtime would, judges every launch by what
// their metadata says, and runs the kernel of that name on the emulator.
//   TAMIS_DOUBLE_DEVICE   a device known by name (default mi300x)
//   TAMIS_DOUBLE_COUNT    how many of it (default 1)
//   TAMIS_DOUBLE_FAILS    a function that returns an error at every call, and the error: hipMalloc=2
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/hip/api.hpp"

namespace tamis::testing {

struct DoubleLaunch {
  std::string kernel;
  std::int64_t blocks, threads;
  std::int64_t shared_bytes;  // the dynamic part
  hip::StreamHandle stream;
};

// What the double is to do, and what it was asked.
struct DoubleState {
  std::string fails;               // a function, as the environment names it
  hip::Error error = 0;            // which it returns
  std::vector<std::string> calls;  // of every function, in order
  std::vector<DoubleLaunch> launches;
};

// The state of the double that this program has loaded; null where it has none.
DoubleState* double_state();

// The address of a function of the runtime that this program has loaded, or null.
void* runtime_function(const char* name);

}  // namespace tamis::testing
