// The standard streams, which may be closed or full, and what a person at a terminal sees on them beyond the text:
// colour on stdout, progress on stderr. Neither where the stream is not a terminal, so that files and pipes hold the
// text alone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace tamis::cli {

// Puts something in the place of standard streams that are closed, lest a file that is opened later gets their number
// and what is printed. It cannot be written: that stdout is closed is noticed as a full disk is.
void open_standard_streams();

// Writes `text` to stderr. Where that fails there is nobody left to tell.
void tell(std::string_view text);

// `text` in green or red where stdout is a terminal and NO_COLOR is not set.
std::string good(std::string_view text);
std::string bad(std::string_view text);

// A line on stderr, rewritten while this lives and taken away with it, from the first second on: what is being done,
// for how long, and how much of it is done where that is known.
class Progress {
 public:
  explicit Progress(std::string what, std::int64_t steps = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done(std::int64_t steps) { done_ = steps; }

 private:
  void show(const std::stop_token& stop);

  std::string what_;
  std::int64_t steps_;
  std::atomic<std::int64_t> done_{0};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace tamis::cli
