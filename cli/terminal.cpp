// See terminal.hpp.

#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace tamis::cli {
namespace {

std::string coloured(std::string_view text, std::string_view code) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = ::isatty(STDOUT_FILENO) == 0 || (no_color != nullptr && *no_color != '\0');
  return plain ? std::string(text) : fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace

std::string good(std::string_view text) { return coloured(text, "32"); }
std::string bad(std::string_view text) { return coloured(text, "31"); }

Progress::Progress(std::string what, std::int64_t steps) : what_(std::move(what)), steps_(steps) {
  if (::isatty(STDERR_FILENO) != 0) thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Progress::show(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (int seconds = 1; !wake_.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); });
       ++seconds) {
    const std::string share = steps_ > 0 ? fmt::format(", {} %", 100 * done_ / steps_) : "";
    fmt::print(stderr, "\r\x1b[K{}: {} s{}", what_, seconds, share);
    std::fflush(stderr);
  }
  fmt::print(stderr, "\r\x1b[K");
}

}  // namespace tamis::cli
