// The subcommands. Each adds itself to the command line; parsing it then leaves in `action` what is to be done.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "error.hpp"

namespace tamis::cli {

using Action = std::function<Exit()>;

void add_generate(CLI::App& app, Action& action);
void add_select(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);

// Makes `run(options)` the action of `command`, whose options live as long as it does.
template <class Options>
void set_action(CLI::App& command, Action& action, std::shared_ptr<const Options> options,
                Exit (*run)(const Options&)) {
  command.final_callback([&action, options, run] { action = [options, run] { return run(*options); }; });
}

}  // namespace tamis::cli
