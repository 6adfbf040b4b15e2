#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cuda.hpp"
#include "disturb.hpp"

namespace tamis::bench {
namespace {

__global__ void rewrite(std::int32_t* values, std::int64_t count) {
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) values[i] = values[i] + 0;
}

struct ToBf16 {
  __device__ std::uint16_t operator()(float score) const { return __bfloat16_as_ushort(__float2bfloat16(score)); }
};
struct ToF16 {
  __device__ std::uint16_t operator()(float score) const { return __half_as_ushort(__float2half(score)); }
};

template <class To>
__global__ void halve(std::uint16_t* halves, const float* scores, std::int64_t count, To to) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    halves[i] = to(scores[i]);
}

}  // namespace

void touch(std::int32_t* values, std::int64_t count, cudaStream_t stream) {
  rewrite<<<1, 256, 0, stream>>>(values, count);
  TAMIS_REQUIRE(cudaGetLastError());
}

void fill_halves(std::uint16_t* halves, const float* scores, std::int64_t count, ScoreType type, cudaStream_t stream) {
  if (type == ScoreType::bf16)
    halve<<<1024, 256, 0, stream>>>(halves, scores, count, ToBf16{});
  else
    halve<<<1024, 256, 0, stream>>>(halves, scores, count, ToF16{});
  TAMIS_REQUIRE(cudaGetLastError());
}

}  // namespace tamis::bench
