// Waiting is on condition variables: idle threads cost nothing, at some microseconds to wake them.

#include "backends/cpu/threads.hpp"

#include <algorithm>
#include <stdexcept>

namespace tamis {

Threads::Pool::Pool(std::int32_t count) {
  if (count < 1) throw std::invalid_argument("count is " + std::to_string(count) + "; it must be at least 1");
  threads_.reserve(count - 1);
  try {
    for (std::int64_t worker = 1; worker < count; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  } catch (...) {
    stop();
    throw;
  }
}

Threads::Pool::~Pool() { stop(); }

void Threads::Pool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Threads::Pool::run(Job job) {
  const std::lock_guard turn(turn_);
  job.workers = std::min<std::int64_t>(job.workers, count());
  if (job.workers > 1) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      ++posts_;
      busy_ = job.workers - 1;
    }
    posted_.notify_all();
  }
  job.run(job.context, 0);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
}

void Threads::Pool::serve(std::int64_t worker) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    posted_.wait(lock, [&] { return stopping_ || posts_ != seen; });
    if (stopping_) return;
    seen = posts_;
    const Job job = job_;
    if (worker >= job.workers) continue;
    lock.unlock();
    job.run(job.context, worker);
    lock.lock();
    if (--busy_ == 0) finished_.notify_one();
  }
}

Threads::Threads(std::int32_t count) : pool_(std::make_unique<Pool>(count)) {}
Threads::~Threads() = default;
std::int32_t Threads::count() const { return pool_->count(); }

}  // namespace tamis
