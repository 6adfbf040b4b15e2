#include <algorithm>
#include <limits>

#include "floor.hpp"

namespace tamis::bench {
namespace {

constexpr int unroll = 4;  // 16-byte loads in flight a thread

__device__ float larger(float best, float4 x) { return fmaxf(fmaxf(best, fmaxf(x.x, x.y)), fmaxf(x.z, x.w)); }

// Block (part, row) takes every gridDim.x-th tile of its row. Scores of every pattern's rows are 16-byte aligned; the
// last few past a multiple of four are read one by one.
__global__ void row_maximum(const float* scores, std::int64_t length, std::int64_t stride, int* maximum) {
  const float* row = scores + blockIdx.y * stride;
  const float4* quads = reinterpret_cast<const float4*>(row);
  const int count = static_cast<int>(length / 4), step = static_cast<int>(gridDim.x * blockDim.x);
  float best = -INFINITY;
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (; i + (unroll - 1) * step < count; i += unroll * step) {
    float4 x[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) x[u] = quads[i + u * step];
#pragma unroll
    for (int u = 0; u < unroll; ++u) best = larger(best, x[u]);
  }
  for (; i < count; i += step) best = larger(best, quads[i]);
  if (blockIdx.x == 0 && threadIdx.x < length % 4) best = fmaxf(best, row[4 * count + threadIdx.x]);
  // Floats as ordered integers, so that one integer maximum a warp and one atomic finish the row.
  int key = __float_as_int(best);
  key = key < 0 ? key ^ 0x7fffffff : key;
  key = __reduce_max_sync(0xffffffffu, key);
  if (threadIdx.x % 32 == 0) atomicMax(maximum + blockIdx.y, key);
}

// Each thread moves one pack: enough of them are resident for every load to be under way at once.
__global__ void copy(const float4* from, float4* to) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  to[i] = from[i];
}
__global__ void nothing() {}
__global__ void add_one(int* value) { *value += 1; }

struct Grid {
  int blocks_per_row;
  int threads;
};

// Grids worth trying: about one, two, four and eight blocks an SM, and one block a row.
std::vector<Grid> grids(std::int64_t rows, std::int64_t length) {
  std::vector<Grid> list;
  for (int threads : {256, 512, 1024}) {
    for (int blocks : {1, 132, 264, 528, 1056}) {
      const std::int64_t most = std::max<std::int64_t>(1, length / (4 * threads));
      const int a_row = static_cast<int>(std::clamp<std::int64_t>(blocks / rows, 1, most));
      const bool seen = std::any_of(list.begin(), list.end(), [&](const Grid& grid) {
        return grid.threads == threads && grid.blocks_per_row == a_row;
      });
      if (!seen) list.push_back({a_row, threads});
    }
  }
  return list;
}

}  // namespace

double read_floor_us(Protocol& protocol, const std::vector<const float*>& buffers, std::int64_t rows,
                     std::int64_t length, std::int64_t stride, Cache cache) {
  const Buffer<int> maximum(static_cast<std::size_t>(rows));
  TAMIS_REQUIRE(cudaMemset(maximum.data(), 0x80, maximum.bytes()));
  double best = std::numeric_limits<double>::infinity();
  for (const Grid grid : grids(rows, length)) {
    const Enqueue enqueue = [&](int launch, cudaStream_t stream) {
      const dim3 blocks(static_cast<unsigned>(grid.blocks_per_row), static_cast<unsigned>(rows));
      row_maximum<<<blocks, grid.threads, 0, stream>>>(buffers[launch % buffers.size()], length, stride,
                                                       maximum.data());
      TAMIS_REQUIRE(cudaGetLastError());
    };
    best = std::min(best, protocol.time(enqueue, cache).median_us);
  }
  return best;
}

Machine measure_machine(Protocol& protocol) {
  const std::size_t copy_bytes = std::size_t{1} << 30;
  const Buffer<float4> from(copy_bytes / sizeof(float4)), to(copy_bytes / sizeof(float4));
  const Buffer<int> value(1);
  TAMIS_REQUIRE(cudaMemset(from.data(), 1, copy_bytes));
  const auto median = [&](const Enqueue& enqueue) { return protocol.time(enqueue, Cache::warm).median_us; };
  Machine machine;
  machine.empty_us = median([](int, cudaStream_t stream) { nothing<<<1, 32, 0, stream>>>(); });
  machine.empty_full_us = median([](int, cudaStream_t stream) { nothing<<<132, 1024, 0, stream>>>(); });
  machine.chain_us = median([&](int, cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(value.data()); });
  const double copy_us = median([&](int, cudaStream_t stream) {
    copy<<<static_cast<unsigned>(copy_bytes / sizeof(float4) / 1024), 1024, 0, stream>>>(from.data(), to.data());
  });
  machine.copy_bytes_per_s = 2.0 * static_cast<double>(copy_bytes) / (copy_us * 1e-6);
  return machine;
}

}  // namespace tamis::bench
