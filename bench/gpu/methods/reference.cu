// The plainest exact selector: one block a row counts, bit by bit, what is at least as good as a trial key, and then
// writes. It is there to show that the instrument judges rightly and how a method plugs in, not to be compared with.

#include "../cuda.hpp"
#include "../task.hpp"

namespace tamis::bench {
namespace {

// Greater score, then lower position, as one number.
__device__ unsigned long long rank_of(float score, unsigned position) {
  const unsigned bits = __float_as_uint(score + 0.0f);
  const unsigned key = isnan(score) ? 0u : (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(key) << 32 | ~position;
}

__device__ unsigned count_at_least(const float* scores, unsigned length, unsigned long long bound) {
  int count = 0;
  for (unsigned first = 0; first < length; first += blockDim.x) {
    const unsigned i = first + threadIdx.x;
    count += __syncthreads_count(i < length && rank_of(scores[i], i) >= bound);
  }
  return count;
}

__global__ void select_row(Task task) {
  __shared__ unsigned written;
  const std::int64_t row = blockIdx.x;
  const float* scores = task.scores + row * task.stride;
  const unsigned length = task.lengths[row], n = min(static_cast<unsigned>(task.k), length);
  unsigned long long bound = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const unsigned long long trial = bound | 1ull << bit;
    if (count_at_least(scores, length, trial) >= n) bound = trial;
  }
  if (threadIdx.x == 0) written = 0;
  __syncthreads();
  std::int32_t* slots = task.slots + row * task.k;
  for (unsigned i = threadIdx.x; i < length; i += blockDim.x) {
    if (n == 0 || rank_of(scores[i], i) < bound) continue;
    slots[atomicAdd(&written, 1u)] = task.pages[row * task.columns + i / page_size] * page_size + i % page_size;
  }
  for (unsigned i = n + threadIdx.x; i < task.k; i += blockDim.x) slots[i] = -1;
}

bool takes(const Task& task) { return task.length <= 16384 && task.rows <= 64; }
std::size_t workspace_bytes(const Task&) { return 0; }
void enqueue(const Task& task, cudaStream_t stream) {
  select_row<<<static_cast<unsigned>(task.rows), 1024, 0, stream>>>(task);
  TAMIS_REQUIRE(cudaGetLastError());
}

}  // namespace

Method reference_method() { return {"reference", takes, workspace_bytes, enqueue}; }

}  // namespace tamis::bench
