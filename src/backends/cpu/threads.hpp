// A pool that runs one job at a time on some of its threads, the calling thread included.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis {

struct Threads::Pool {
  // What every worker of a job runs, with its number in [0, workers).
  struct Job {
    void (*run)(void* context, std::int64_t worker) = nullptr;
    void* context = nullptr;
    std::int64_t workers = 0;
  };

  explicit Pool(std::int32_t count);
  ~Pool();

  std::int32_t count() const { return static_cast<std::int32_t>(threads_.size()) + 1; }

  // Runs the job on min(job.workers, count) workers and returns when all are done. Callers take turns.
  void run(Job job);

 private:
  void serve(std::int64_t worker);
  void stop();

  std::mutex turn_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable posted_, finished_;
  Job job_;
  std::uint64_t posts_ = 0;  // jobs posted so far
  std::int64_t busy_ = 0;    // workers that still owe the current job
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tamis
