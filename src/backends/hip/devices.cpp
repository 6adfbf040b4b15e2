#include "backends/hip/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace tamis::hip {
namespace {

int attribute(Attribute which, int ordinal) {
  int value = 0;
  return library().value.DeviceGetAttribute(&value, which, ordinal) == success ? value : 0;
}

// "AMD Instinct MI300X OAM" is known as "mi300x".
std::string short_name(std::string_view full) {
  constexpr std::string_view family = "AMD Instinct ";
  if (full.starts_with(family)) full = full.substr(family.size(), full.find(' ', family.size()) - family.size());
  std::string result;
  for (const char c : full)
    if (c != ' ') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// What the runtime calls compute capability 9.4 is gfx942: it does not tell the last digit. Others than gfx90a call
// themselves 9.0 too; their runtime refuses its code object.
std::string arch_of(int major, int minor) {
  if (major == 9) {
    constexpr std::array arches{std::pair{0, "gfx90a"}, std::pair{4, "gfx942"}, std::pair{5, "gfx950"}};
    for (const auto& [known, arch] : arches)
      if (minor == known) return arch;
  }
  return fmt::format("gfx{}{}0", major, minor);
}

// The runtime counts registers as it pleases; these four SIMDs have 512 vector registers of 64 lanes each, or 1024
// of 32.
constexpr std::int32_t registers_per_unit = 4 * 512 * 64;

// Some attributes are newer than some runtimes; without these a device is none.
bool is_told(const Device& device) {
  return device.units > 0 && device.lanes > 0 && device.max_threads_per_block > 0 && device.shared_bytes_per_block > 0;
}

Result<Device> read_device(int ordinal) {
  char name[256] = {};
  if (const Error error = library().value.DeviceGetName(name, sizeof name - 1, ordinal); error != success)
    return {status_of(error, "reading a device's name")};
  const std::int64_t clock_khz = attribute(Attribute::memory_clock_khz, ordinal);
  const std::int32_t of_block = attribute(Attribute::shared_bytes_per_block, ordinal);
  return {{},
          {.backend = Backend::hip,
           .name = short_name(name),
           .arch = arch_of(attribute(Attribute::capability_major, ordinal),
                           attribute(Attribute::capability_minor, ordinal)),
           .ordinal = ordinal,
           .units = attribute(Attribute::units, ordinal),
           .lanes = attribute(Attribute::lanes, ordinal),
           .max_threads_per_block = attribute(Attribute::threads_per_block, ordinal),
           .max_threads_per_unit = attribute(Attribute::threads_per_unit, ordinal),
           .registers_per_unit = registers_per_unit,
           .shared_bytes_per_block = of_block,
           .shared_bytes_per_unit = std::max(of_block, attribute(Attribute::shared_bytes_per_unit, ordinal)),
           .max_cluster_blocks = 0,
           .dependent_launch = false,
           .cache_bytes = attribute(Attribute::cache_bytes, ordinal),
           .bytes_per_second = 2 * clock_khz * 1000 * attribute(Attribute::memory_bus_width, ordinal) / 8}};
}

Result<std::vector<Device>> read_devices() {
  if (!library().ok()) return {library().status};
  int count = 0;
  const Error error = library().value.GetDeviceCount(&count);
  if (error != success || count == 0) {
    const std::string reason = error == success ? "the runtime counts none" : library().value.GetErrorString(error);
    (void)library().value.GetLastError();
    return {{Code::no_device, "no HIP device: " + reason}};
  }
  std::vector<Device> list;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Result<Device> device = read_device(ordinal);
    if (!device.ok()) return {device.status};
    if (!is_told(device.value))
      return {{Code::backend_error, fmt::format("HIP: the runtime does not tell what device {} has", ordinal)}};
    list.push_back(std::move(device.value));
  }
  return {{}, std::move(list)};
}

}  // namespace

const Result<std::vector<Device>>& devices() {
  static const Result<std::vector<Device>> found = read_devices();
  return found;
}

}  // namespace tamis::hip
