// A test's side of the double.

#include <dlfcn.h>

#include "hip/double.hpp"

namespace tamis::testing {

void* runtime_function(const char* name) {
  for (const char* library : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"})
    if (void* opened = dlopen(library, RTLD_NOW | RTLD_LOCAL)) return dlsym(opened, name);
  return nullptr;
}

DoubleState* double_state() {
  auto* state = reinterpret_cast<DoubleState* (*)()>(runtime_function("tamis_double_state"));
  return state == nullptr ? nullptr : state();
}

}  // namespace tamis::testing
