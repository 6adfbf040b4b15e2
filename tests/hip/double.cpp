// The double of the HIP runtime: its state, and every function that is used of the runtime. See double.hpp.

#include "hip/double.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>

#include "backends/emulated/entry.hpp"
#include "hip/metadata.hpp"
#include "tamis/tamis.hpp"

namespace tamis::testing {
namespace {

using hip::Attribute;
using hip::Error;
using hip::StreamHandle;

// Of hipError_t what is told apart here.
constexpr Error invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_device = 101, no_binary = 209,
                not_found = 500, illegal_address = 700, capture_unsupported = 900;

struct LoadedKernel {
  KernelMetadata metadata;
  const emulated::Entry* entry;
};

struct LoadedModule {
  std::map<std::string, LoadedKernel> kernels;
};

// A launch as it waits in a graph: its arguments were copied when it was made.
struct Work {
  const LoadedKernel* kernel;
  simt::host::Grid grid;
  kernels::Arguments arguments;
};

using Graph = std::vector<Work>;

struct Runtime {
  std::recursive_mutex mutex;
  DoubleState state;
  Device device;
  int count = 1;
  std::set<void*> memory;
  std::map<StreamHandle, Graph> capturing;
  std::map<StreamHandle, Error> failed;  // what a stream's work ended with, told when it is waited for

  Runtime() {
    const char* name = std::getenv("TAMIS_DOUBLE_DEVICE");
    device = known_device(name != nullptr ? name : "mi300x").value;
    if (const char* text = std::getenv("TAMIS_DOUBLE_COUNT")) count = std::atoi(text);
    if (const char* text = std::getenv("TAMIS_DOUBLE_FAILS")) {
      const std::string fails = text;
      state.fails = fails.substr(0, fails.find('='));
      state.error = std::atoi(fails.c_str() + fails.find('=') + 1);
    }
  }
};

Runtime& runtime() {
  static Runtime all;
  return all;
}

thread_local int current_device = 0;

// Notes the call, then fails as told or does what the function does.
template <class Do>
Error call(const char* name, Do act) {
  Runtime& all = runtime();
  const std::lock_guard lock(all.mutex);
  all.state.calls.push_back(name);
  return all.state.fails == name ? all.state.error : act(all);
}

bool is_device(const Runtime& all, int ordinal) { return ordinal >= 0 && ordinal < all.count; }

// A graph may hold launches alone here: what waits, or moves data, is an error while a stream records.
Error unless_capturing(const Runtime& all, Error error) { return all.capturing.empty() ? error : capture_unsupported; }

int capability_of(const Device& device, Attribute which) {
  constexpr struct {
    std::string_view arch;
    int major, minor;
  } known[] = {{"gfx90a", 9, 0}, {"gfx942", 9, 4}, {"gfx950", 9, 5}, {"gfx1250", 12, 5}};
  for (const auto& each : known)
    if (each.arch == device.arch) return which == Attribute::capability_major ? each.major : each.minor;
  return 0;
}

constexpr int bus_width = 8192;

int attribute_of(const Device& device, Attribute which) {
  switch (which) {
    case Attribute::cache_bytes:
      return static_cast<int>(device.cache_bytes);
    case Attribute::capability_major:
    case Attribute::capability_minor:
      return capability_of(device, which);
    case Attribute::threads_per_block:
      return device.max_threads_per_block;
    case Attribute::threads_per_unit:
      return device.max_threads_per_unit;
    case Attribute::memory_bus_width:
      return bus_width;
    case Attribute::memory_clock_khz:
      return static_cast<int>(device.bytes_per_second * 8 / 2 / 1000 / bus_width);
    case Attribute::units:
      return device.units;
    case Attribute::shared_bytes_per_block:
      return device.shared_bytes_per_block;
    case Attribute::shared_bytes_per_unit:
      return device.shared_bytes_per_unit;
    case Attribute::lanes:
      return device.lanes;
  }
  return 0;
}

// --- kernels ---

Error load(const Device& device, const char* image, hip::Module* module) {
  // The runtime is told no size: the file says where it ends. Metadata lies in its first pages.
  const Metadata metadata = metadata_of({image, 1 << 20});
  if (metadata.arch != device.arch) return no_binary;
  auto loaded = std::make_unique<LoadedModule>();
  for (const KernelMetadata& kernel : metadata.kernels)
    loaded->kernels[kernel.name] = {kernel, emulated::find_entry(std::string_view(kernel.name).substr(6))};
  *module = loaded.release();
  return hip::success;
}

// What the hardware or the runtime would not launch.
bool launchable(const Device& device, const KernelMetadata& kernel, std::int64_t blocks, std::int64_t threads,
                std::int64_t shared_bytes) {
  return blocks >= 1 && threads == kernel.threads && threads <= device.max_threads_per_block &&
         blocks * threads < std::int64_t{1} << 32 && kernel.lanes == device.lanes &&
         kernel.shared_bytes + shared_bytes <= device.shared_bytes_per_block &&
         kernel.argument_bytes == sizeof(kernels::Arguments);
}

void run(Runtime& all, const Work& work, StreamHandle stream) {
  const simt::host::Report report = work.kernel->entry->run(work.grid, work.arguments, {});
  if (!report.ok()) all.failed[stream] = illegal_address;
}

Error launch(Runtime& all, const LoadedKernel& kernel, DoubleLaunch asked, const void* arguments) {
  const KernelMetadata& metadata = kernel.metadata;
  if (!launchable(all.device, metadata, asked.blocks, asked.threads, asked.shared_bytes)) return invalid_value;
  Work work{&kernel, {}, {}};
  std::memcpy(&work.arguments, arguments, sizeof work.arguments);
  work.grid = {.blocks = static_cast<int>(asked.blocks),
               .threads = static_cast<int>(asked.threads),
               .lanes = all.device.lanes,
               .cluster = 1,
               .shared_bytes = static_cast<std::size_t>(metadata.shared_bytes + asked.shared_bytes),
               .shared_limit = static_cast<std::size_t>(all.device.shared_bytes_per_block)};
  asked.kernel = metadata.name;
  all.state.launches.push_back(std::move(asked));
  const auto graph = all.capturing.find(all.state.launches.back().stream);
  if (graph != all.capturing.end())
    graph->second.push_back(work);
  else
    run(all, work, all.state.launches.back().stream);
  return hip::success;
}

}  // namespace
}  // namespace tamis::testing

using namespace tamis::testing;  // NOLINT: what follows has C linkage
namespace hip = tamis::hip;

extern "C" {

__attribute__((visibility("default"))) DoubleState* tamis_double_state() { return &runtime().state; }

#pragma GCC visibility push(default)

hip::Error hipGetDeviceCount(int* count) {
  return call("hipGetDeviceCount", [&](Runtime& all) {
    *count = all.count;
    return all.count > 0 ? hip::success : no_device;
  });
}

hip::Error hipGetDevice(int* device) {
  return call("hipGetDevice", [&](Runtime&) {
    *device = current_device;
    return hip::success;
  });
}

hip::Error hipSetDevice(int device) {
  return call("hipSetDevice", [&](Runtime& all) {
    if (!is_device(all, device)) return invalid_device;
    current_device = device;
    return hip::success;
  });
}

hip::Error hipDeviceGetName(char* name, int bytes, int device) {
  return call("hipDeviceGetName", [&](Runtime& all) {
    if (!is_device(all, device)) return invalid_device;
    std::string text = "AMD Instinct " + all.device.name + " OAM";
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::strncpy(name, ("AMD Instinct " + text.substr(13)).c_str(), static_cast<std::size_t>(bytes));
    return hip::success;
  });
}

hip::Error hipDeviceGetAttribute(int* value, hip::Attribute attribute, int device) {
  return call("hipDeviceGetAttribute", [&](Runtime& all) {
    if (!is_device(all, device)) return invalid_device;
    *value = attribute_of(all.device, attribute);
    return hip::success;
  });
}

hip::Error hipModuleLoadData(hip::Module* module, const void* image) {
  return call("hipModuleLoadData", [&](Runtime& all) {
    return unless_capturing(all, load(all.device, static_cast<const char*>(image), module));
  });
}

hip::Error hipModuleUnload(hip::Module module) {
  return call("hipModuleUnload", [&](Runtime&) {
    delete static_cast<LoadedModule*>(module);
    return hip::success;
  });
}

hip::Error hipModuleGetFunction(hip::Function* function, hip::Module module, const char* name) {
  return call("hipModuleGetFunction", [&](Runtime&) {
    auto& kernels = static_cast<LoadedModule*>(module)->kernels;
    const auto found = kernels.find(name);
    if (found == kernels.end()) return not_found;
    *function = &found->second;
    return hip::success;
  });
}

hip::Error hipModuleLaunchKernel(hip::Function function, unsigned blocks, unsigned blocks_y, unsigned blocks_z,
                                 unsigned threads, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
                                 hip::StreamHandle stream, void** parameters, void** extra) {
  return call("hipModuleLaunchKernel", [&](Runtime& all) {
    if (blocks_y != 1 || blocks_z != 1 || threads_y != 1 || threads_z != 1 || extra != nullptr) return invalid_value;
    return launch(all, *static_cast<const LoadedKernel*>(function), {"", blocks, threads, shared_bytes, stream},
                  parameters[0]);
  });
}

hip::Error hipStreamSynchronize(hip::StreamHandle stream) {
  return call("hipStreamSynchronize", [&](Runtime& all) {
    const hip::Error error = all.failed[stream];
    all.failed.erase(stream);
    return unless_capturing(all, error);
  });
}

hip::Error hipMalloc(void** data, std::size_t bytes) {
  return call("hipMalloc", [&](Runtime& all) {
    *data = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*data == nullptr) return out_of_memory;
    all.memory.insert(*data);
    return unless_capturing(all, hip::success);
  });
}

hip::Error hipFree(void* data) {
  return call("hipFree", [&](Runtime& all) {
    if (data != nullptr && all.memory.erase(data) == 0) return invalid_value;
    std::free(data);
    return hip::success;
  });
}

hip::Error hipMemcpy(void* to, const void* from, std::size_t bytes, hip::CopyKind) {
  return call("hipMemcpy", [&](Runtime& all) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return unless_capturing(all, hip::success);
  });
}

hip::Error hipGetLastError() {
  return call("hipGetLastError", [](Runtime&) { return hip::success; });
}

const char* hipGetErrorName(hip::Error error) { return error == hip::success ? "hipSuccess" : "hipErrorOfTheDouble"; }

const char* hipGetErrorString(hip::Error error) {
  return error == no_device ? "no ROCm-capable device is detected" : "the double fails";
}

// What the library does not use, for tests of streams and graphs.

hip::Error hipStreamCreate(hip::StreamHandle* stream) {
  return call("hipStreamCreate", [&](Runtime&) {
    *stream = new int(0);
    return hip::success;
  });
}

hip::Error hipStreamDestroy(hip::StreamHandle stream) {
  return call("hipStreamDestroy", [&](Runtime&) {
    delete static_cast<int*>(stream);
    return hip::success;
  });
}

hip::Error hipStreamBeginCapture(hip::StreamHandle stream, int) {
  return call("hipStreamBeginCapture", [&](Runtime& all) {
    all.capturing[stream] = {};
    return hip::success;
  });
}

hip::Error hipStreamEndCapture(hip::StreamHandle stream, void** graph) {
  return call("hipStreamEndCapture", [&](Runtime& all) {
    *graph = new Graph(std::move(all.capturing.at(stream)));
    all.capturing.erase(stream);
    return hip::success;
  });
}

hip::Error hipGraphInstantiate(void** executable, void* graph, void*, char*, std::size_t) {
  return call("hipGraphInstantiate", [&](Runtime&) {
    *executable = new Graph(*static_cast<const Graph*>(graph));
    return hip::success;
  });
}

hip::Error hipGraphLaunch(void* executable, hip::StreamHandle stream) {
  return call("hipGraphLaunch", [&](Runtime& all) {
    for (const Work& work : *static_cast<const Graph*>(executable)) run(all, work, stream);
    return hip::success;
  });
}

hip::Error hipGraphDestroy(void* graph) {
  return call("hipGraphDestroy", [&](Runtime&) {
    delete static_cast<Graph*>(graph);
    return hip::success;
  });
}

hip::Error hipGraphExecDestroy(void* executable) {
  return call("hipGraphExecDestroy", [&](Runtime&) {
    delete static_cast<Graph*>(executable);
    return hip::success;
  });
}

#pragma GCC visibility pop
}
