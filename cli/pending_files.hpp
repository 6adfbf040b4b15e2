// Temporary files that are being written, known to the signal handlers: an interrupted command removes them.
#pragma once

#include <string>

namespace tamis::cli {

// While this lives, a signal that ends the process removes the file at `path` first. At most 16 live at once.
class PendingFile {
 public:
  explicit PendingFile(const std::string& path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

 private:
  int entry_;
};

// Lets SIGINT, SIGTERM and SIGHUP remove pending files before they end the process, and turns SIGBUS (an input file
// shrank while it was read) into a message and Exit::machine.
void install_signal_handlers();

}  // namespace tamis::cli
