// How a subcommand ends early. The message is one sentence; main prints it after the command's name.
#pragma once

#include <stdexcept>
#include <string>

#include "tamis/tamis.hpp"

namespace tamis::cli {

enum class Exit : int {
  ok = 0,
  not_exact = 1,  // what was to be judged or timed is not exact
  usage = 2,      // an argument, or a file that it names, is not what it must be
  machine = 3,    // reading, writing, memory or the device failed
};

struct Error : std::runtime_error {
  Error(Exit exit_code, const std::string& message) : std::runtime_error(message), exit(exit_code) {}
  Exit exit;
};

// Throws unless `status` is ok: bad arguments as Exit::usage, the rest as Exit::machine.
inline void require(const Status& status) {
  if (!status.ok()) throw Error(status.code == Code::invalid_argument ? Exit::usage : Exit::machine, status.message);
}

}  // namespace tamis::cli
