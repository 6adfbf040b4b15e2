#include "backends/hip/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "backends/hip/code_objects.hpp"
#include "backends/hip/devices.hpp"
#include "kernels/catalog.hpp"

namespace tamis::hip {
namespace {

constexpr std::array kernels{
#define TAMIS_INSTANCE(name, ...) std::string_view(#name),
#include "kernels/instances/amd.def"
#undef TAMIS_INSTANCE
};

// What a device has loaded. A failure is tried again at the next launch: memory may be there then.
struct Loaded {
  std::mutex one_at_a_time;
  std::array<Function, kernels.size()> functions{};
  std::atomic<bool> done = false;
};

Loaded& loaded_on(const Device& device) {
  static const std::unique_ptr<Loaded[]> all = std::make_unique<Loaded[]>(devices().value.size());
  return all[device.ordinal];
}

Status find_functions(Module module, std::array<Function, kernels.size()>& functions) {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string symbol = fmt::format("tamis_{}", kernels[i]);
    const Error error = library().value.ModuleGetFunction(&functions[i], module, symbol.c_str());
    if (error != success) return status_of(error, "looking for kernel " + symbol);
  }
  return {};
}

std::string known_archs() {
  std::string list;
  for (const CodeObject& object : code_objects()) list += fmt::format("{}{}", list.empty() ? "" : ", ", object.arch);
  return list;
}

Status load_functions(const Device& device, std::array<Function, kernels.size()>& functions) {
  const CodeObject* object = find_code_object(device.arch);
  if (object == nullptr)
    return {Code::no_device, fmt::format("device {} is {} ({}); this build has kernels for {}", device.ordinal,
                                         device.name, device.arch, known_archs())};
  Module module = nullptr;
  if (const Error error = library().value.ModuleLoadData(&module, object->image.data()); error != success)
    return status_of(error, fmt::format("loading the kernels for {}", device.arch));
  Status status = find_functions(module, functions);
  if (!status.ok()) (void)library().value.ModuleUnload(module);
  return status;
}

}  // namespace

int find_kernel(std::string_view name) {
  const auto* found = std::ranges::find(kernels, name);
  return found == kernels.end() ? -1 : static_cast<int>(found - kernels.begin());
}

Status load_kernels(const Device& device) {
  Loaded& loaded = loaded_on(device);
  if (loaded.done.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(loaded.one_at_a_time);
  if (loaded.done.load(std::memory_order_relaxed)) return {};
  Status status = load_functions(devices().value[device.ordinal], loaded.functions);
  if (status.ok()) loaded.done.store(true, std::memory_order_release);
  return status;
}

Function function_of(const Device& device, int kernel) { return loaded_on(device).functions[kernel]; }

std::int64_t static_shared_bytes(int kernel) {
  return tamis::kernels::find_instance(kernels[static_cast<std::size_t>(kernel)])->shared_bytes;
}

}  // namespace tamis::hip
