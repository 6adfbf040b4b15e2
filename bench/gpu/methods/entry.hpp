// From a kernel's entry to a method: the arguments that the library would pass, and the launch that its plan would
// make.
#pragma once

#include <algorithm>

#include "../cuda.hpp"
#include "../task.hpp"
#include "kernels/arguments.hpp"
#include "simt/kernel.hpp"

namespace tamis::bench {

inline kernels::Arguments arguments_of(const Task& task) {
  kernels::Arguments arguments{};
  arguments.shape = {.rows = task.rows, .width = task.length, .k = task.k};
  arguments.rows = {.scores = task.scores, .stride = task.stride, .lengths = task.lengths};
  arguments.output.slots = task.slots;
  arguments.output.slots_stride = task.k;
  arguments.output.mapping = Mapping::paged;
  arguments.output.page_table = {.entries = task.pages,
                                 .tables = task.rows,
                                 .columns = task.columns,
                                 .stride = task.columns,
                                 .page_size = page_size};
  arguments.workspace = static_cast<std::byte*>(task.workspace);
  arguments.workspace_bytes = static_cast<std::int64_t>(task.workspace_bytes);
  return arguments;
}

struct LaunchShape {
  std::int64_t blocks;
  int threads;
  int cluster;
  int shared_bytes;
};

// Launches with programmatic dependent launch: the kernel waits for the one before it by itself.
inline void launch(void (*entry)(kernels::Arguments), const LaunchShape& shape, kernels::Arguments arguments,
                   cudaStream_t stream) {
  TAMIS_REQUIRE(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.shared_bytes));
  if (shape.cluster > 8) TAMIS_REQUIRE(cudaFuncSetAttribute(entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(shape.blocks));
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(shape.shared_bytes);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = shape.cluster > 1 ? 2 : 1;
  arguments.shared_bytes = shape.shared_bytes;
  TAMIS_REQUIRE(cudaLaunchKernelEx(&config, entry, arguments));
}

}  // namespace tamis::bench
