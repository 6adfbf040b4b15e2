// The compiled kernels, embedded in the library: a code object an architecture, each with all kernels of
// kernels/instances/amd.def.
#pragma once

#include <span>
#include <string_view>

namespace tamis::hip {

struct CodeObject {
  std::string_view arch;  // "gfx942"
  std::string_view image;
};

std::span<const CodeObject> code_objects();

// The architecture's, or null.
const CodeObject* find_code_object(std::string_view arch);

}  // namespace tamis::hip
