// See pending_files.hpp. What runs inside a handler uses async-signal-safe calls and lock-free atomics only.

#include "pending_files.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "error.hpp"

namespace tamis::cli {
namespace {

// A path is set before `taken` is published and freed after it is withdrawn, so a handler never sees a dangling one.
struct Entry {
  std::string path;
  std::atomic<const char*> taken{nullptr};
};
std::array<Entry, 16> entries;
static_assert(std::atomic<const char*>::is_always_lock_free);

void remove_pending() {
  for (Entry& entry : entries)
    if (const char* path = entry.taken.exchange(nullptr)) ::unlink(path);
}

void end_by_signal(int signal) {
  remove_pending();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void end_by_lost_input(int) {
  remove_pending();
  constexpr char message[] = "tamis: a file became shorter, or could not be read, while it was in use\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
  ::_exit(static_cast<int>(Exit::machine));
}

// A signal that whoever started the command ignores (nohup does) stays ignored.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

PendingFile::PendingFile(const std::string& path) : entry_(0) {
  while (entries[entry_].taken.load() != nullptr)
    if (++entry_ == std::ssize(entries)) throw Error(Exit::machine, "more than 16 files are being written at once");
  entries[entry_].path = path;
  entries[entry_].taken = entries[entry_].path.c_str();
}

PendingFile::~PendingFile() { entries[entry_].taken = nullptr; }

void install_signal_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal, end_by_signal);
  handle(SIGBUS, end_by_lost_input);
}

}  // namespace tamis::cli
