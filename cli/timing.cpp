// See timing.hpp.

#include "timing.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

#include "fold.hpp"

namespace tamis::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Timing summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto quantile = [&](std::size_t tenths) { return times[(times.size() - 1) * tenths / 10]; };
  return {quantile(1), quantile(5), quantile(9), std::ssize(times)};
}

std::span<const std::byte> part(std::span<const std::byte> bytes, std::int32_t index, std::int32_t count) {
  const std::size_t begin = bytes.size() * static_cast<std::size_t>(index) / static_cast<std::size_t>(count);
  const std::size_t end = bytes.size() * static_cast<std::size_t>(index + 1) / static_cast<std::size_t>(count);
  return bytes.subspan(begin, end - begin);
}

}  // namespace

Timing timed(const std::function<void()>& work, double seconds) {
  constexpr std::size_t fewest_calls = 10;
  work();
  std::vector<double> times;
  const Clock::time_point begin = Clock::now();
  while (times.size() < fewest_calls || seconds_since(begin) < seconds) {
    const Clock::time_point call = Clock::now();
    work();
    times.push_back(seconds_since(call));
  }
  return summary(std::move(times));
}

Timing read_floor(std::span<const std::byte> bytes, std::int32_t threads, double seconds) {
  std::atomic<std::uint64_t> sink{0};  // keeps the reads from being optimised away
  std::atomic<bool> finished{false};
  std::barrier meet(threads);
  const auto read_part = [&](std::int32_t index) { sink ^= folded(part(bytes, index, threads)); };
  std::vector<std::jthread> helpers;
  for (std::int32_t i = 1; i < threads; ++i)
    helpers.emplace_back([&, i] {
      for (meet.arrive_and_wait(); !finished; meet.arrive_and_wait()) {
        read_part(i);
        meet.arrive_and_wait();
      }
    });
  const Timing timing = timed(
      [&] {
        meet.arrive_and_wait();
        read_part(0);
        meet.arrive_and_wait();
      },
      seconds);
  finished = true;
  meet.arrive_and_wait();
  return timing;
}

}  // namespace tamis::cli
