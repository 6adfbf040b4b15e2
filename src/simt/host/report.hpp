// What the emulator says of a problem: which threads, in which word, at which line of source.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simt/host/thread.hpp"

namespace tamis::simt::host {

struct ClusterState;

// "stages/threshold.hpp:42"
std::string place(const Location& where);
// "block 3, thread 65 (warp 2, lane 1) in ballot at ..."
std::string describe(const Thread& thread);
// Every thread that waits, those alike together.
std::string describe_deadlock(const std::vector<std::unique_ptr<ClusterState>>& clusters);
// Writes beyond a block's shared memory; empty if there were none.
std::string describe_overrun(const ClusterState& cluster);
// A problem if a thread returns while others count on it in a barrier or an exchange.
void check_leaving(Thread& thread);

}  // namespace tamis::simt::host
