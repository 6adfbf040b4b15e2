// The device that a command runs on, and memory that the device reads and writes. Where the device is the host itself
// inputs are used where they lie; otherwise they are copied.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "tamis/tamis.hpp"

namespace tamis::cli {

struct MachineOptions {
  std::string backend = "auto";
  std::int32_t threads = 0;   // 0: every thread of this machine
  std::int32_t lanes = 0;     // of the emulated backend; 0: 32
  std::int32_t block = 0;     // the most threads of its blocks; 0: 1024
  std::int64_t schedule = 0;  // the emulated backend's seed
};

void add_machine_options(CLI::App& app, MachineOptions& options);

class Machine {
 public:
  // Throws with Exit::machine where the backend asked for has no device here.
  explicit Machine(const MachineOptions& options);

  const Device& device() const { return device_; }
  const detail::BackendEntry& entry() const { return *entry_; }
  std::int32_t threads() const { return threads_ ? threads_->count() : 1; }
  bool reads_host_memory() const;
  Stream stream() const { return threads_ ? Stream(*threads_) : schedule_; }
  void synchronize() const;

 private:
  const detail::BackendEntry* entry_ = nullptr;
  Device device_;
  std::unique_ptr<Threads> threads_;
  Stream schedule_;
};

// Memory of a machine's device. Throws Exit::machine where there is no room.
class Buffer {
 public:
  Buffer(const Machine& machine, std::size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;

  void* data() const { return data_; }
  void write(std::span<const std::byte> host);
  void read(std::span<std::byte> host) const;

 private:
  const detail::Memory* memory_;
  void* data_;
};

}  // namespace tamis::cli
