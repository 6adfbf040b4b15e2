// In what order the emulated backend runs threads and blocks: for tests, which try many. Set for the calling thread, as
// a launch runs on the thread that makes it.
#pragma once

#include "simt/host/emulator.hpp"

namespace tamis::emulated {

const simt::host::Schedule& schedule();
void set_schedule(const simt::host::Schedule& schedule);

}  // namespace tamis::emulated
