// What a backend is to the rest of the library: an entry of a static registry. Arguments were checked before.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan_data.hpp"
#include "tamis/tamis.hpp"

namespace tamis::detail {

// Memory that a device reads and writes, for the tools that move data (command line, benchmarks, tests). Each
// function blocks until done. allocate returns null when there is no room.
struct Memory {
  void* (*allocate)(std::size_t bytes);
  void (*release)(void* data);
  Status (*write)(void* device, const void* host, std::size_t bytes);
  Status (*read)(void* host, const void* device, std::size_t bytes);
};

struct BackendEntry {
  Backend id;
  Result<std::vector<Device>> (*devices)();
  // Enqueue what the plan says; strides are spelled out.
  Status (*select)(const PlanData& plan, const Rows& rows, const Output& output, Workspace workspace, Stream stream);
  Status (*merge)(const PlanData& plan, const Lists& lists, const Output& output, Workspace workspace, Stream stream);
  // Blocks until the work of `stream` is done and reports what went wrong in it.
  Status (*synchronize)(Stream stream);
  Memory memory;
};

// The entry of `backend`, or null when this build lacks it.
const BackendEntry* find_backend(Backend backend);

extern const BackendEntry cpu_backend;
extern const BackendEntry cuda_backend;      // where TAMIS_HAS_CUDA is defined
extern const BackendEntry hip_backend;       // where TAMIS_HAS_HIP is defined
extern const BackendEntry emulated_backend;  // where TAMIS_HAS_EMULATED is defined

}  // namespace tamis::detail
