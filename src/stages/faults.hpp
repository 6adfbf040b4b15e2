// Counting what only the device can see. A fault is rare, so each one is an atomic on the caller's record.
#pragma once

#include <cstdint>

#include "kernels/arguments.hpp"
#include "simt/common.hpp"

namespace tamis::stages {

// Adds one fault of a kind (a member of Faults) in `row`; nothing where the caller keeps no record.
template <class Block>
TAMIS_DEVICE void count_fault(Block block, const kernels::Arguments& arguments, Fault Faults::*kind, int row) {
  if (arguments.output.faults == nullptr) return;
  Fault& fault = arguments.output.faults->*kind;
  block.global_fetch_add(reinterpret_cast<std::uint64_t&>(fault.count), std::uint64_t{1});
  // Rows are not negative and INT64_MAX stands for none, so the unsigned order is the signed one.
  block.global_fetch_min(reinterpret_cast<std::uint64_t&>(fault.first_row), static_cast<std::uint64_t>(row));
}

}  // namespace tamis::stages
