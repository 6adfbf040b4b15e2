// The option --device, by which commands that need no device name one.
#pragma once

#include <CLI/CLI.hpp>

#include "tamis/tamis.hpp"

namespace tamis::cli {

// --device NAME, one of the devices known by name.
CLI::Option* add_device(CLI::App& app, Device& device, const std::string& help);

}  // namespace tamis::cli
