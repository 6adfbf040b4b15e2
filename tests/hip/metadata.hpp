// What a code object says of itself: the architecture and, of every kernel, what it needs. Read from the note that the
// compiler leaves in it (MessagePack in an ELF note), as a runtime reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tamis::testing {

struct KernelMetadata {
  std::string name;  // "tamis_wide_row_f32"
  std::int64_t threads, lanes;
  std::int64_t vector_registers, scalar_registers;  // a thread, a wavefront
  std::int64_t vector_spills, scalar_spills;
  std::int64_t scratch_bytes, shared_bytes, argument_bytes;
};

struct Metadata {
  std::string arch;
  std::vector<KernelMetadata> kernels;
};

// Throws std::runtime_error where the image is none.
Metadata metadata_of(std::string_view image);

}  // namespace tamis::testing
