// What is used of the HIP runtime's interface, declared here: no header of ROCm is needed. Names and numbers are those
// of libamdhip64 from version 5 to 7, among which none of them changed.
#pragma once

#include <cstddef>

namespace tamis::hip {

using Error = int;  // hipError_t
inline constexpr Error success = 0;

using StreamHandle = void*;
using Module = void*;
using Function = void*;

// hipDeviceAttribute_t
enum class Attribute : int {
  cache_bytes = 19,
  capability_major = 23,
  threads_per_block = 56,
  threads_per_unit = 57,
  memory_bus_width = 59,
  memory_clock_khz = 60,
  capability_minor = 61,
  units = 63,
  shared_bytes_per_block = 74,
  lanes = 87,
  shared_bytes_per_unit = 10002,
};

// hipMemcpyKind
enum class CopyKind : int { to_device = 1, to_host = 2 };

// The functions by the name that each has behind "hip": TAMIS_HIP_FUNCTION(name, parameters)
#define TAMIS_HIP_FUNCTIONS(TAMIS_HIP_FUNCTION)                                                                       \
  TAMIS_HIP_FUNCTION(GetDeviceCount, (int* count))                                                                    \
  TAMIS_HIP_FUNCTION(GetDevice, (int* device))                                                                        \
  TAMIS_HIP_FUNCTION(SetDevice, (int device))                                                                         \
  TAMIS_HIP_FUNCTION(DeviceGetName, (char* name, int bytes, int device))                                              \
  TAMIS_HIP_FUNCTION(DeviceGetAttribute, (int* value, Attribute attribute, int device))                               \
  TAMIS_HIP_FUNCTION(ModuleLoadData, (Module * module, const void* image))                                            \
  TAMIS_HIP_FUNCTION(ModuleUnload, (Module module))                                                                   \
  TAMIS_HIP_FUNCTION(ModuleGetFunction, (Function * function, Module module, const char* name))                       \
  TAMIS_HIP_FUNCTION(ModuleLaunchKernel,                                                                              \
                     (Function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x, \
                      unsigned threads_y, unsigned threads_z, unsigned shared_bytes, StreamHandle stream,             \
                      void** parameters, void** extra))                                                               \
  TAMIS_HIP_FUNCTION(StreamSynchronize, (StreamHandle stream))                                                        \
  TAMIS_HIP_FUNCTION(Malloc, (void** data, std::size_t bytes))                                                        \
  TAMIS_HIP_FUNCTION(Free, (void* data))                                                                              \
  TAMIS_HIP_FUNCTION(Memcpy, (void* to, const void* from, std::size_t bytes, CopyKind kind))                          \
  TAMIS_HIP_FUNCTION(GetLastError, ())

}  // namespace tamis::hip
