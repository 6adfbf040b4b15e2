// tamis plan: how a shape would be selected on a device, present or not, and why.

#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "device_option.hpp"
#include "options.hpp"

namespace tamis::cli {
namespace {

constexpr const char* footer =
    "Example:\n"
    "  tamis plan --rows 64 --length 131072 -k 2048 --device h200\n\n"
    "The device need not be here: a plan follows from numbers alone.";

struct Options {
  Shape shape;
  Device device;
  std::int32_t threads = 1;
  bool json = false;
};

Exit run(const Options& options) {
  const Device device = options.device.backend == Backend::cpu ? cpu_device(options.threads) : options.device;
  const Result<Plan> plan = tamis::plan(options.shape, device);
  require(plan.status);
  fmt::print("{}", options.json ? plan.value.json() + "\n" : plan.value.text());
  return Exit::ok;
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("plan", "Show how a shape is selected on a device, and why")->footer(footer);
  for (CLI::Option* option : add_size_options(command, options->shape)) option->required();
  add_selection_options(command, options->shape);
  add_device(command, options->device, "the device's name, as 'tamis info' lists them")->required()->group("Machine");
  add_integer(command, "--threads", options->threads, {1, 1024}, "threads of device cpu (default 1)")->group("Machine");
  command.add_flag("--json", options->json, "the plan as JSON");
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
