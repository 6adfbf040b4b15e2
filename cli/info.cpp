// tamis info: which tamis this is, how it was built, and where it can run.

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "build_info.hpp"
#include "command.hpp"
#include "options.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* footer =
    "Example:\n"
    "  tamis info --json\n\n"
    "A device that is not here can still be planned for: 'tamis plan --device NAME'.";

constexpr std::array backends{Backend::cpu, Backend::cuda, Backend::hip, Backend::emulated};

struct Options {
  bool json = false;
};

Json as_json(const Device& device) {
  return {{"name", device.name},   {"backend", name(device.backend)}, {"arch", device.arch},
          {"units", device.units}, {"lanes", device.lanes},           {"bytes_per_second", device.bytes_per_second}};
}

Json as_json(Backend backend, const Result<std::vector<Device>>& found) {
  Json json{{"backend", name(backend)},
            {"available", found.ok()},
            {"reason", found.status.message},
            {"devices", Json::array()}};
  for (const Device& device : found.value) json["devices"].push_back(as_json(device));
  return json;
}

void print_json() {
  Json json{{"version", version()},
            {"commit", build::commit},
            {"compiler", build::compiler},
            {"build_type", build::type},
            {"flags", build::flags}};
  for (const Backend backend : backends) json["backends"].push_back(as_json(backend, devices(backend)));
  for (const Device& device : known_devices()) json["known_devices"].push_back(as_json(device));
  fmt::print("{}\n", json.dump(2));
}

// What tells devices of one name apart.
std::string lanes_text(const Device& device) {
  return device.lanes > 1 ? fmt::format(", {} lanes a warp", device.lanes) : "";
}

void print_backend(Backend backend) {
  const Result<std::vector<Device>> found = devices(backend);
  if (!found.ok()) fmt::print("  {:10} no: {}\n", name(backend), found.status.message);
  for (const Device& device : found.value)
    fmt::print("  {:10} yes: {} ({}{})\n", name(backend), device.name, device.arch, lanes_text(device));
}

void print_text() {
  fmt::print("tamis {}, commit {}\n", version(), build::commit);
  fmt::print("built by {}, {}, {}\n\nbackends\n", build::compiler, build::type, build::flags);
  for (const Backend backend : backends) print_backend(backend);
  fmt::print("\ndevices known by name\n");
  for (const Device& device : known_devices())
    fmt::print("  {:10} {:9} {:8} {:4} units\n", device.name, name(device.backend), device.arch, device.units);
}

Exit run(const Options& options) {
  options.json ? print_json() : print_text();
  return Exit::ok;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("info", "Show the version, the build, the backends and the devices")->footer(footer);
  command.add_flag("--json", options->json, "the same as JSON");
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
