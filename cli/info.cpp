// tamis info: which tamis this is, how it was built, and where it can run.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "build_info.hpp"
#include "command.hpp"
#include "device_option.hpp"
#include "options.hpp"
#include "plan/gpu.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* footer =
    "Example:\n"
    "  tamis info --device h200\n\n"
    "A device that is not here can still be planned for: 'tamis plan --device NAME'.";

constexpr std::array backends{Backend::cpu, Backend::cuda, Backend::hip, Backend::emulated};

// What each method is shown with: the widest of these rows that it takes.
constexpr std::int64_t shown_k = 2048;
constexpr std::array<std::int64_t, 9> shown_widths{1048576, 262144, 131072, 65536, 32768, 16384, 8192, 4096, shown_k};

struct Options {
  bool json = false;
  Device device;  // without a name: all of this machine
};

// A row that a method takes on a device, and the launch that selects from it.
struct Use {
  std::string_view method;
  std::int64_t width;
  Launch launch;
};

std::vector<Use> uses_of(const Device& device) {
  std::vector<Use> uses;
  if (device.backend == Backend::cpu) return uses;
  for (const detail::GpuMethod& method : detail::gpu_methods(device))
    for (const std::int64_t width : shown_widths) {
      const auto plan = detail::plan_with_method({.rows = 1, .width = width, .k = shown_k}, device, method.name);
      if (!plan.ok()) continue;
      uses.push_back({method.name, width, plan.value.launches().front()});
      break;
    }
  return uses;
}

Json as_json(const Device& device) {
  return {{"name", device.name},
          {"backend", name(device.backend)},
          {"arch", device.arch},
          {"units", device.units},
          {"lanes", device.lanes},
          {"shared_bytes_per_block", device.shared_bytes_per_block},
          {"max_cluster_blocks", device.max_cluster_blocks},
          {"dependent_launch", device.dependent_launch},
          {"bytes_per_second", device.bytes_per_second}};
}

Json with_methods(const Device& device) {
  Json json = as_json(device);
  json["methods"] = Json::array();
  for (const Use& use : uses_of(device))
    json["methods"].push_back({{"method", use.method},
                               {"width", use.width},
                               {"kernel", use.launch.kernel},
                               {"blocks", use.launch.blocks},
                               {"threads", use.launch.threads},
                               {"cluster", use.launch.cluster},
                               {"shared_bytes", use.launch.shared_bytes}});
  return json;
}

Json as_json(Backend backend, const Result<std::vector<Device>>& found) {
  Json json{{"backend", name(backend)},
            {"available", found.ok()},
            {"reason", found.status.message},
            {"devices", Json::array()}};
  for (const Device& device : found.value) json["devices"].push_back(with_methods(device));
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

void print_device(const Device& device) {
  fmt::print(
      "{} ({}): {} units, {} bytes of shared memory a block, {}, {}dependent launch\n", device.name, device.arch,
      device.units, device.shared_bytes_per_block,
      device.max_cluster_blocks > 0 ? fmt::format("clusters of up to {}", device.max_cluster_blocks) : "no clusters",
      device.dependent_launch ? "" : "no ");
  const std::vector<Use> uses = uses_of(device);
  if (uses.empty()) return;
  fmt::print("\none f32 row, k {}, of the widest that each method takes\n", shown_k);
  fmt::print("  {:14} {:>8}  {:24} {:>6} {:>7} {:>7} {:>7}\n", "method", "width", "kernel", "blocks", "threads",
             "cluster", "shared");
  for (const Use& use : uses)
    fmt::print("  {:14} {:8}  {:24} {:6} {:7} {:7} {:7}\n", use.method, use.width, use.launch.kernel, use.launch.blocks,
               use.launch.threads, use.launch.cluster, use.launch.shared_bytes);
}

// Of several GPUs of a backend the first: they are mostly equal.
void print_gpus() {
  for (const Backend backend : {Backend::cuda, Backend::hip}) {
    const Result<std::vector<Device>> found = devices(backend);
    if (!found.ok() || found.value.empty()) continue;
    fmt::print("\n");
    print_device(found.value.front());
  }
}

void print_text() {
  fmt::print("tamis {}, commit {}\n", version(), build::commit);
  fmt::print("built by {}, {}, {}\n\nbackends\n", build::compiler, build::type, build::flags);
  for (const Backend backend : backends) print_backend(backend);
  fmt::print("\ndevices known by name\n");
  for (const Device& device : known_devices())
    fmt::print("  {:10} {:9} {:8} {:4} units\n", device.name, name(device.backend), device.arch, device.units);
  print_gpus();
}

Exit run(const Options& options) {
  if (options.device.name.empty())
    options.json ? print_json() : print_text();
  else if (options.json)
    fmt::print("{}\n", with_methods(options.device).dump(2));
  else
    print_device(options.device);
  return Exit::ok;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("info", "Show the version, the build, the backends and the devices")->footer(footer);
  add_device(command, options->device, "only this device, present or not, and what each method uses on it");
  command.add_flag("--json", options->json, "the same as JSON");
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
