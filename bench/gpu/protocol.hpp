// How a time is taken: `launches` launches captured as one graph, replayed several times behind a kernel that spins
// until the host has enqueued everything, between two events. A time is the median replay over the launches in it.
#pragma once

#include <functional>

#include "cuda.hpp"

namespace tamis::bench {

struct Timing {
  double median_us = 0;
  double p10_us = 0;
  double p90_us = 0;
};

enum class Cache { warm, cold };

// Enqueues launch number `launch` (0, 1, ...), which picks the buffer that launch reads.
using Enqueue = std::function<void(int launch, cudaStream_t stream)>;

class Protocol {
 public:
  static constexpr int launches = 40;

  explicit Protocol(int replays = 9) : replays_(replays) {}

  // Cold: a sweep over memory much larger than the cache comes before every replay; that launches do not find
  // their own buffer is up to `enqueue`. Throws when a launch fails.
  Timing time(const Enqueue& enqueue, Cache cache);
  // Keeps the device busy until its clocks have settled.
  void warm_up();

  cudaStream_t stream() const { return stream_; }

 private:
  void flush();
  double replay(const Graph& graph, Cache cache);

  int replays_;
  Stream stream_;
  Event begin_, end_;
  Buffer<char> sweep_;
};

}  // namespace tamis::bench
