// A kernel on the emulator: compiled for both widths of a warp, chosen between at launch.
#pragma once

#include <string_view>

#include "kernels/arguments.hpp"
#include "simt/host.hpp"

namespace tamis::emulated {

struct Entry {
  std::string_view name;
  simt::host::Report (*run)(const simt::host::Grid& grid, const kernels::Arguments& arguments,
                            const simt::host::Schedule& schedule);
};

template <class Kernel, int threads, int cluster>
simt::host::Report run(const simt::host::Grid& grid, const kernels::Arguments& arguments,
                       const simt::host::Schedule& schedule) {
  if (grid.lanes == 64)
    return simt::host::launch<Kernel, simt::host::Block<threads, 64, cluster>>(grid, arguments, schedule);
  return simt::host::launch<Kernel, simt::host::Block<threads, 32, cluster>>(grid, arguments, schedule);
}

// The entry of that name, or null.
const Entry* find_entry(std::string_view name);

}  // namespace tamis::emulated
