// See terminal.hpp.

#include "terminal.hpp"

#include <fcntl.h>
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

void open_standard_streams() {
  // A new descriptor has the lowest free number, so the loop ends at the first that is none of the three.
  int descriptor = ::open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDONLY);
  if (descriptor >= 0) ::close(descriptor);
}

void tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

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
    tell(fmt::format("\r\x1b[K{}: {} s{}", what_, seconds, share));
  }
  tell("\r\x1b[K");
}

}  // namespace tamis::cli
