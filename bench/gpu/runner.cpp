#include "runner.hpp"

#include <algorithm>
#include <vector>

#include "floor.hpp"
#include "scores.hpp"

namespace tamis::bench {
namespace {

constexpr std::int64_t cold_bytes = std::int64_t{512} << 20;  // what a round of cold buffers holds: 8 times the L2

// Cold: so many buffers that none is still cached when its turn comes again, or one for every launch.
int buffers_for(Cache cache, std::int64_t bytes) {
  if (cache == Cache::warm) return 1;
  return static_cast<int>(std::clamp<std::int64_t>((cold_bytes + bytes - 1) / bytes, 2, Protocol::launches));
}

}  // namespace

void Runner::prepare(const Cell& cell) {
  cell_ = cell;
  cache_ = cell.cache == "cold" ? Cache::cold : Cache::warm;
  const std::int64_t stride = (cell.length + 3) / 4 * 4, size = cell.rows * stride;
  buffers_ = buffers_for(cache_, size * static_cast<std::int64_t>(sizeof(float)));
  float* scores = scores_.reserve(size * buffers_);
  generate_scores(cell.scores, 1, scores, cell.rows * buffers_, cell.length, stride, protocol_.stream());
  const std::vector<std::int32_t> lengths(cell.rows, static_cast<std::int32_t>(cell.length));
  TAMIS_REQUIRE(cudaMemcpyAsync(lengths_.reserve(cell.rows), lengths.data(), cell.rows * sizeof(std::int32_t),
                                cudaMemcpyHostToDevice, protocol_.stream()));
  scatter_pages(pages_, cell.rows, cell.length, protocol_.stream());
  task_ = {cell.rows,
           cell.length,
           cell.k,
           scores,
           stride,
           lengths_.data(),
           pages_.table.data(),
           pages_.columns,
           slots_.reserve(cell.rows * cell.k)};
  TAMIS_REQUIRE(cudaStreamSynchronize(protocol_.stream()));
}

Task Runner::task_of(int launch) const {
  Task task = task_;
  task.scores += (launch % buffers_) * task.rows * task.stride;
  return task;
}

std::string Runner::judge(int launch) { return check_.judge(task_of(launch), pages_, protocol_.stream()); }

double Runner::floor_us() {
  const auto [entry, added] = floors_.try_emplace({cell_.rows, cell_.length, cache_}, 0.0);
  if (added) {
    std::vector<const float*> buffers;
    for (int i = 0; i < buffers_; ++i) buffers.push_back(task_of(i).scores);
    Protocol quick(3);
    entry->second = read_floor_us(quick, buffers, cell_.rows, cell_.length, task_.stride, cache_);
  }
  return entry->second;
}

Record Runner::measure(const Method& method) {
  task_.workspace_bytes = method.workspace_bytes(task_);
  task_.workspace = workspace_.reserve(std::max<std::size_t>(task_.workspace_bytes, 1));
  Record record{cell_, method.kernel == nullptr ? method.name : method.kernel(task_), {}, floor_us(), ""};
  check_.poison(task_, protocol_.stream());
  method.enqueue(task_of(0), protocol_.stream());
  record.finding = judge(0);
  if (!record.exact()) return record;
  record.timing =
      protocol_.time([&](int launch, cudaStream_t stream) { method.enqueue(task_of(launch), stream); }, cache_);
  record.finding = judge(Protocol::launches - 1);
  return record;
}

}  // namespace tamis::bench
