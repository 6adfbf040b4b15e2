#include <numeric>

#include "check.hpp"

namespace tamis::bench {
namespace {

enum Finding : std::int32_t { none, wrong_padding, foreign_slot, outside_window, duplicate, not_best };
constexpr const char* finding_texts[] = {"",
                                         "an entry past the selected ones is not -1",
                                         "a slot is on no page of its row",
                                         "a position lies outside the window",
                                         "a position is selected twice",
                                         "a better position was left out"};

// A score and its position as one number that grows with the strict order.
__device__ std::uint64_t rank_of(float score, std::int64_t position) {
  std::uint32_t key = 0;
  if (!isnan(score)) {
    const std::uint32_t bits = score == 0.0f ? 0u : __float_as_uint(score);
    key = (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
  }
  return (static_cast<std::uint64_t>(key) << 32) | (0xffffffffu - static_cast<std::uint32_t>(position));
}

struct Judged {
  Task task;
  const std::int32_t* inverse;
  std::uint32_t* seen;    // [rows, words], zero
  std::int32_t* finding;  // {finding, row}
  std::int64_t words;
};

__device__ void report(const Judged& judged, Finding finding) {
  if (atomicCAS(judged.finding, none, finding) == none) judged.finding[1] = static_cast<std::int32_t>(blockIdx.x);
}

// The position behind a slot, or -1 where the slot is on no page of the row.
__device__ std::int64_t position_of(const Judged& judged, std::int64_t row, std::int32_t slot) {
  const std::int64_t pages = judged.task.rows * judged.task.columns, page = slot / page_size;
  if (slot < 0 || page >= pages) return -1;
  const std::int64_t column = judged.inverse[page] - row * judged.task.columns;
  return column < 0 || column >= judged.task.columns ? -1 : column * page_size + slot % page_size;
}

__global__ void judge_row(Judged judged) {
  __shared__ unsigned long long worst;
  __shared__ unsigned count;
  const Task& task = judged.task;
  const std::int64_t row = blockIdx.x;
  const float* scores = task.scores + row * task.stride;
  const std::int64_t length = min(max(static_cast<std::int64_t>(task.lengths[row]), std::int64_t{0}), task.length);
  const std::int64_t n = min(task.k, length);
  if (threadIdx.x == 0) {
    worst = ~0ull;
    count = 0;
  }
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < task.k; i += blockDim.x) {
    const std::int32_t slot = task.slots[row * task.k + i];
    if (i >= n) {
      if (slot != -1) report(judged, wrong_padding);
      continue;
    }
    const std::int64_t position = position_of(judged, row, slot);
    if (position < 0) {
      report(judged, foreign_slot);
    } else if (position >= length) {
      report(judged, outside_window);
    } else {
      const std::uint32_t bit = 1u << (position % 32);
      if (atomicOr(judged.seen + row * judged.words + position / 32, bit) & bit) report(judged, duplicate);
      atomicMin(&worst, static_cast<unsigned long long>(rank_of(scores[position], position)));
    }
  }
  __syncthreads();
  unsigned mine = 0;
  for (std::int64_t i = threadIdx.x; i < length; i += blockDim.x) mine += rank_of(scores[i], i) >= worst;
  mine = __reduce_add_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(&count, mine);
  __syncthreads();
  if (threadIdx.x == 0 && n > 0 && count != n) report(judged, not_best);
}

__global__ void scatter(std::int32_t* table, std::int32_t* inverse, std::int64_t count, std::int64_t factor) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const std::int64_t page = (i * factor + 17) % count;
    table[i] = static_cast<std::int32_t>(page);
    inverse[page] = static_cast<std::int32_t>(i);
  }
}

}  // namespace

void scatter_pages(Pages& pages, std::int64_t rows, std::int64_t length, cudaStream_t stream) {
  pages.columns = (length + page_size - 1) / page_size;
  const std::int64_t count = rows * pages.columns;
  std::int64_t factor = 40503;  // any number without a common divisor visits every page once
  while (std::gcd(factor, count) != 1) ++factor;
  scatter<<<264, 256, 0, stream>>>(pages.table.reserve(count), pages.inverse.reserve(count), count, factor);
  TAMIS_REQUIRE(cudaGetLastError());
}

void Check::poison(const Task& task, cudaStream_t stream) {
  TAMIS_REQUIRE(cudaMemsetAsync(task.slots, 0x7f, task.rows * task.k * sizeof(std::int32_t), stream));
}

std::string Check::judge(const Task& task, const Pages& pages, cudaStream_t stream) {
  const std::int64_t words = task.length / 32 + 1;
  const Judged judged{task, pages.inverse.data(), seen_.reserve(task.rows * words), finding_.reserve(2), words};
  TAMIS_REQUIRE(cudaMemsetAsync(judged.seen, 0, task.rows * words * sizeof(std::uint32_t), stream));
  TAMIS_REQUIRE(cudaMemsetAsync(judged.finding, 0, 2 * sizeof(std::int32_t), stream));
  judge_row<<<static_cast<unsigned>(task.rows), 1024, 0, stream>>>(judged);
  TAMIS_REQUIRE(cudaGetLastError());
  std::int32_t found[2];
  TAMIS_REQUIRE(cudaMemcpyAsync(found, judged.finding, sizeof found, cudaMemcpyDeviceToHost, stream));
  TAMIS_REQUIRE(cudaStreamSynchronize(stream));
  return found[0] == none ? "" : "row " + std::to_string(found[1]) + ": " + finding_texts[found[0]];
}

}  // namespace tamis::bench
