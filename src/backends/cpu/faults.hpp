// Counting what was clamped. Each worker counts in a record of its own; records are added up at the end.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

inline constexpr std::array fault_kinds{&Faults::length, &Faults::start, &Faults::table_row, &Faults::page,
                                        &Faults::slot};

inline void note(Fault& fault, std::int64_t row, std::int64_t count = 1) {
  if (count == 0) return;
  fault.count += count;
  fault.first_row = std::min(fault.first_row, row);
}

inline void add(Faults& total, const Faults& part) {
  for (const auto kind : fault_kinds) note(total.*kind, (part.*kind).first_row, (part.*kind).count);
}

// As note, in memory of the caller's: other calls may be adding to the record at the same time.
inline void publish(Fault& record, const Fault& fault) {
  if (fault.count == 0) return;
  std::atomic_ref(record.count).fetch_add(fault.count, std::memory_order_relaxed);
  std::atomic_ref first_row(record.first_row);
  std::int64_t seen = first_row.load(std::memory_order_relaxed);
  while (fault.first_row < seen && !first_row.compare_exchange_weak(seen, fault.first_row, std::memory_order_relaxed)) {
  }
}

inline void publish(Faults& record, const Faults& faults) {
  for (const auto kind : fault_kinds) publish(record.*kind, faults.*kind);
}

}  // namespace tamis::detail::cpu
