// What no selector can beat: the time to read every score once, at the grid that does it best, and what the machine
// takes to launch, to chain and to copy.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol.hpp"

namespace tamis::bench {

// The row maximum of [rows, length] at buffers[launch % size]: one number a row written. The best of several grids.
double read_floor_us(Protocol& protocol, const std::vector<const float*>& buffers, std::int64_t rows,
                     std::int64_t length, std::int64_t stride, Cache cache);

struct Machine {
  double empty_us = 0;          // a kernel that does nothing, one block
  double empty_full_us = 0;     // the same with a block on every SM
  double chain_us = 0;          // a kernel that adds to what the one before it wrote
  double copy_bytes_per_s = 0;  // device to device, bytes read plus bytes written
};
Machine measure_machine(Protocol& protocol);

}  // namespace tamis::bench
