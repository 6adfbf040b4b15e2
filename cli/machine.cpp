// See machine.hpp.

#include "machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "error.hpp"
#include "options.hpp"

namespace tamis::cli {
namespace {

constexpr std::array backends{Backend::cpu, Backend::cuda, Backend::hip, Backend::emulated};

// The first device of a backend. The CPU's value depends on the threads that are to be used.
Result<Device> first_device(Backend backend, std::int32_t threads) {
  const Result<std::vector<Device>> found = devices(backend);
  if (!found.ok()) return {found.status};
  if (found.value.empty()) return {{Code::no_device, fmt::format("there is no {} device", name(backend))}};
  return {{}, backend == Backend::cpu ? cpu_device(threads) : found.value.front()};
}

// What only the emulated backend has is refused for others, where it would change nothing.
void refuse_unused(const MachineOptions& options, Backend backend) {
  if (backend == Backend::emulated) return;
  if (options.lanes != 0)
    throw Error(Exit::usage, fmt::format("--lanes is {}; it is for --backend emulated alone", options.lanes));
  if (options.block != 0)
    throw Error(Exit::usage, fmt::format("--block is {}; it is for --backend emulated alone", options.block));
  if (options.schedule != 0)
    throw Error(Exit::usage, fmt::format("--schedule is {}; it is for --backend emulated alone", options.schedule));
}

// What "auto" means here: the GPU where there is one.
Backend preferred() {
  for (const Backend backend : {Backend::cuda, Backend::hip})
    if (first_device(backend, 1).ok()) return backend;
  return Backend::cpu;
}

Backend chosen(const std::string& wanted) {
  if (wanted == "auto") return preferred();
  const auto found = std::find_if(backends.begin(), backends.end(), [&](Backend each) { return name(each) == wanted; });
  if (found != backends.end()) return *found;
  throw_not_one_of("--backend", wanted, {"auto", "cpu", "cuda", "hip", "emulated"});
}

CLI::Option* add_lanes(CLI::App& app, std::int32_t& lanes) {
  const auto set = [&lanes](const std::string& text) {
    if (text != "32" && text != "64") throw_not_one_of("--lanes", text, {"32", "64"});
    lanes = std::stoi(text);
  };
  return app
      .add_option_function<std::string>("--lanes", set, "lanes of a warp of the emulated backend: 32, 64 (default 32)")
      ->type_name("N");
}

}  // namespace

void add_machine_options(CLI::App& app, MachineOptions& options) {
  app.add_option(
         "--backend", options.backend,
         "cpu, cuda, hip, emulated (GPU kernels on the host: slow) or auto: cuda, else hip, else cpu (default auto)")
      ->type_name("NAME")
      ->group("Machine");
  add_integer(app, "--threads", options.threads, {1, 1024}, "threads of the cpu backend; default: all of this machine")
      ->group("Machine");
  add_lanes(app, options.lanes)->group("Machine");
  add_integer(app, "--block", options.block, {512, 1024},
              "most threads of a block of the emulated backend: its plan chooses among kernels with such (default 1024)")
      ->group("Machine");
  add_integer(app, "--schedule", options.schedule, {0, INT32_MAX},
              "seed of the emulated backend's order of threads and blocks (default 0: one after the other)")
      ->group("Machine");
}

Machine::Machine(const MachineOptions& options) {
  const auto available = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  const std::int32_t threads = options.threads > 0 ? options.threads : available;
  const Backend backend = chosen(options.backend);
  const Result<Device> device = first_device(backend, threads);
  entry_ = detail::find_backend(backend);
  if (!device.ok() || entry_ == nullptr)
    throw Error(Exit::machine, fmt::format("--backend is '{}'; no device: {}", options.backend, device.status.message));
  refuse_unused(options, backend);
  device_ = device.value;
  if (backend == Backend::emulated) {
    if (options.lanes != 0) device_ = emulated_device(options.lanes);
    if (options.block != 0) device_.max_threads_per_block = options.block;
    schedule_ = emulated_stream(static_cast<std::uintptr_t>(options.schedule));
  }
  if (backend == Backend::cpu) threads_ = std::make_unique<Threads>(threads);
}

bool Machine::reads_host_memory() const {
  return device_.backend == Backend::cpu || device_.backend == Backend::emulated;
}

void Machine::synchronize() const { require(entry_->synchronize(stream())); }

Buffer::Buffer(const Machine& machine, std::size_t bytes)
    : memory_(&machine.entry().memory), data_(memory_->allocate(std::max<std::size_t>(bytes, 1))) {
  if (data_ == nullptr)
    throw Error(Exit::machine, fmt::format("{} has no room for {} bytes", machine.device().name, bytes));
}

Buffer::~Buffer() {
  if (data_ != nullptr) memory_->release(data_);
}

Buffer::Buffer(Buffer&& other) noexcept : memory_(other.memory_), data_(std::exchange(other.data_, nullptr)) {}

void Buffer::write(std::span<const std::byte> host) { require(memory_->write(data_, host.data(), host.size())); }

void Buffer::read(std::span<std::byte> host) const { require(memory_->read(host.data(), data_, host.size())); }

}  // namespace tamis::cli
