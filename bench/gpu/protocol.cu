#include <algorithm>
#include <vector>

#include "protocol.hpp"

namespace tamis::bench {
namespace {

constexpr std::size_t sweep_bytes = std::size_t{256} << 20;  // more than four times the L2 of an H200
constexpr int hide_launch_us = 60;                           // a graph of 40 nodes is enqueued in less

__global__ void spin(long long nanoseconds) {
  long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}

double quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

void Protocol::warm_up() {
  for (int i = 0; i < 300; ++i) spin<<<132, 256, 0, stream_>>>(1'000'000);
  TAMIS_REQUIRE(cudaGetLastError());
  stream_.wait();
}

void Protocol::flush() { TAMIS_REQUIRE(cudaMemsetAsync(sweep_.reserve(sweep_bytes), 1, sweep_bytes, stream_)); }

double Protocol::replay(const Graph& graph, Cache cache) {
  if (cache == Cache::cold) flush();
  spin<<<1, 1, 0, stream_>>>(hide_launch_us * 1000);
  TAMIS_REQUIRE(cudaGetLastError());
  begin_.record(stream_);
  graph.launch(stream_);
  end_.record(stream_);
  stream_.wait();
  return end_.microseconds_since(begin_) / launches;
}

Timing Protocol::time(const Enqueue& enqueue, Cache cache) {
  const Graph graph(stream_, [&](cudaStream_t stream) {
    for (int launch = 0; launch < launches; ++launch) enqueue(launch, stream);
  });
  replay(graph, cache);
  std::vector<double> times;
  for (int i = 0; i < replays_; ++i) times.push_back(replay(graph, cache));
  std::sort(times.begin(), times.end());
  return {quantile(times, 0.5), quantile(times, 0.1), quantile(times, 0.9)};
}

}  // namespace tamis::bench
