// A GPU's entry of the registry, from its Runtime: what launch.hpp names, and
//   synchronize(stream), allocate(bytes), release(data), write(device, host, bytes), read(host, device, bytes)
#pragma once

#include "backends/backend.hpp"
#include "backends/gpu/launch.hpp"
#include "backends/gpu_arguments.hpp"

namespace tamis::gpu {

template <class Runtime>
struct Entry {
  static typename Runtime::Handle native(Stream stream) { return static_cast<typename Runtime::Handle>(stream.handle); }

  static Status select(const detail::PlanData& plan, const Rows& rows, const Output& output, Workspace workspace,
                       Stream stream) {
    return launch<Runtime>(plan, detail::arguments_of(plan, rows, output, workspace), native(stream));
  }
  static Status merge(const detail::PlanData& plan, const Lists& lists, const Output& output, Workspace workspace,
                      Stream stream) {
    return launch<Runtime>(plan, detail::arguments_of(plan, lists, output, workspace), native(stream));
  }
  static Status synchronize(Stream stream) { return Runtime::synchronize(native(stream)); }

  static constexpr detail::BackendEntry of(Backend id) {
    return {.id = id,
            .devices = [] { return Result<std::vector<Device>>(Runtime::devices()); },
            .select = select,
            .merge = merge,
            .synchronize = synchronize,
            .memory = {.allocate = Runtime::allocate,
                       .release = Runtime::release,
                       .write = Runtime::write,
                       .read = Runtime::read}};
  }
};

}  // namespace tamis::gpu
