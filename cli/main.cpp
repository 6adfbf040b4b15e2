// The tamis command: reads the command line, runs one subcommand, and turns whatever went wrong into one line on stderr
// and an exit status.

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <sstream>

#include "command.hpp"
#include "options.hpp"
#include "pending_files.hpp"
#include "tamis/tamis.hpp"
#include "terminal.hpp"

namespace tamis::cli {
namespace {

constexpr const char* description =
    "Exact top-k selection for sparse-attention indexers.\n"
    "For every row of a score matrix: the k best positions, as positions or as KV-cache slots.";

constexpr const char* footer =
    "Example:\n"
    "  tamis generate --pattern decode_like --rows 8 --length 32768 -o scores.npy\n"
    "  tamis select --scores scores.npy -k 2048 --out-indices indices.npy\n"
    "  tamis verify --scores scores.npy -k 2048 --indices indices.npy\n\n"
    "Exit status: 0 done, 1 not exact (verify, bench), 2 an argument is not what it must be,\n"
    "3 reading, writing, memory or the device failed. 'tamis COMMAND --help' tells more.";

std::string command_name(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? "tamis" : "tamis " + commands.front()->get_name();
}

int complain(const CLI::App& app, Exit exit, std::string_view message) {
  const std::string command = command_name(app);
  tell(fmt::format("{}: {}\n", command, message));
  if (exit == Exit::usage) tell(fmt::format("'{} --help' shows what it takes.\n", command));
  return static_cast<int>(exit);
}

void require_command(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return;
  const std::vector<std::string> rest = app.remaining();
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (rest.empty())
    throw Error(Exit::usage, fmt::format("the command is missing; it must be one of {}", fmt::join(names, ", ")));
  throw_not_one_of("the command", rest.front(), names);
}

// An option given twice or without its value, as the other messages put it: CLI11 only begins with its name.
std::string one_value_message(const CLI::ArgumentMismatch& error) {
  const std::string message = error.what();
  return message.substr(0, message.find(':')) + " must be given once, with a value";
}

// Parses and runs the command. --help and --version end the parsing.
Exit run_parsed(CLI::App& app, Action& action, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    app.exit(success, text, text);
    fmt::print("{}", text.str());
    return Exit::ok;
  }
  require_command(app);
  return action();
}

int parse_and_run(CLI::App& app, Action& action, int argc, char** argv) {
  try {
    const Exit exit = run_parsed(app, action, argc, argv);
    if (std::fflush(stdout) != 0) return complain(app, Exit::machine, "standard output could not be written");
    return static_cast<int>(exit);
  } catch (const CLI::ArgumentMismatch& error) {
    return complain(app, Exit::usage, one_value_message(error));
  } catch (const CLI::ParseError& error) {
    return complain(app, Exit::usage, error.what());
  } catch (const Error& error) {
    return complain(app, error.exit, error.what());
  } catch (const std::bad_alloc&) {
    return complain(app, Exit::machine, "not enough memory");
  } catch (const std::exception& error) {
    return complain(app, Exit::machine, error.what());
  }
}

int run(int argc, char** argv) {
  open_standard_streams();
  install_signal_handlers();
  CLI::App app(description, "tamis");
  app.footer(footer);
  app.set_version_flag("--version", "tamis " + std::string(version()));
  app.get_formatter()->column_width(34);
  Action action;
  for (const auto add : {add_generate, add_select, add_verify, add_plan, add_bench, add_info}) add(app, action);
  app.allow_extras();  // only now, for subcommands inherit it: a wrong command is told by require_command
  return parse_and_run(app, action, argc, argv);
}

}  // namespace
}  // namespace tamis::cli

int main(int argc, char** argv) { return tamis::cli::run(argc, argv); }
