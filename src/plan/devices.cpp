// Devices known by name: their properties as data, from the vendors' published specifications and occupancy tables.

#include <fmt/format.h>

#include "tamis/tamis.hpp"

namespace tamis {
namespace {

constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t gb = 1'000'000'000;

Device nvidia(std::string name, std::string arch, std::int32_t units, std::int32_t threads_per_unit,
              std::int32_t shared_per_block, std::int32_t cluster, std::int64_t cache, std::int64_t bandwidth) {
  return {.backend = Backend::cuda,
          .name = std::move(name),
          .arch = std::move(arch),
          .units = units,
          .lanes = 32,
          .max_threads_per_block = 1024,
          .max_threads_per_unit = threads_per_unit,
          .registers_per_unit = 65536,
          .shared_bytes_per_block = shared_per_block,
          .shared_bytes_per_unit = shared_per_block + 1024,
          .max_cluster_blocks = cluster,
          .dependent_launch = cluster > 0,
          .cache_bytes = cache,
          .bytes_per_second = bandwidth};
}

Device amd(std::string name, std::string arch, std::int32_t units, std::int32_t lanes, std::int32_t shared,
           std::int64_t cache, std::int64_t bandwidth) {
  return {.backend = Backend::hip,
          .name = std::move(name),
          .arch = std::move(arch),
          .units = units,
          .lanes = lanes,
          .max_threads_per_block = 1024,
          .max_threads_per_unit = 2048,
          .registers_per_unit = 131072,
          .shared_bytes_per_block = shared,
          .shared_bytes_per_unit = shared,
          .max_cluster_blocks = 0,
          .dependent_launch = false,
          .cache_bytes = cache,
          .bytes_per_second = bandwidth};
}

std::vector<Device> table() {
  return {
      cpu_device(1),
      emulated_device(32),
      nvidia("a100", "sm_80", 108, 2048, 163 * 1024, 0, 40 * mib, 2039 * gb),
      nvidia("l40s", "sm_89", 142, 1536, 99 * 1024, 0, 96 * mib, 864 * gb),
      nvidia("h100", "sm_90a", 132, 2048, 227 * 1024, 16, 50 * mib, 3350 * gb),
      nvidia("h200", "sm_90a", 132, 2048, 227 * 1024, 16, 60 * mib, 4800 * gb),
      nvidia("b200", "sm_100a", 148, 2048, 227 * 1024, 16, 126 * mib, 8000 * gb),
      nvidia("b300", "sm_103a", 148, 2048, 227 * 1024, 16, 126 * mib, 8000 * gb),
      nvidia("rtx5090", "sm_120a", 170, 1536, 99 * 1024, 8, 96 * mib, 1792 * gb),
      amd("mi250x", "gfx90a", 110, 64, 64 * 1024, 8 * mib, 1638 * gb),
      amd("mi300x", "gfx942", 304, 64, 64 * 1024, 256 * mib, 5300 * gb),
      amd("mi325x", "gfx942", 304, 64, 64 * 1024, 256 * mib, 6000 * gb),
      amd("mi355x", "gfx950", 256, 64, 160 * 1024, 256 * mib, 8000 * gb),
      amd("mi455x", "gfx1250", 256, 32, 320 * 1024, 0, 0),
  };
}

}  // namespace

Device cpu_device(std::int32_t threads) {
  return {.backend = Backend::cpu, .name = "cpu", .arch = "host", .units = threads};
}

Device emulated_device(std::int32_t lanes) {
  return {.backend = Backend::emulated,
          .name = "emulated",
          .arch = "host",
          .units = 4,
          .lanes = lanes,
          .max_threads_per_block = 1024,
          .max_threads_per_unit = 2048,
          .registers_per_unit = 65536,
          .shared_bytes_per_block = 227 * 1024,
          .shared_bytes_per_unit = 228 * 1024,
          .max_cluster_blocks = 16,
          .dependent_launch = true};
}

const std::vector<Device>& known_devices() {
  static const std::vector<Device> devices = table();
  return devices;
}

Result<Device> known_device(std::string_view wanted) {
  std::string names;
  for (const Device& device : known_devices()) {
    if (device.name == wanted) return {{}, device};
    names += (names.empty() ? "" : ", ") + device.name;
  }
  return {{Code::invalid_argument, fmt::format("device name is '{}'; it must be one of {}", wanted, names)}};
}

}  // namespace tamis
