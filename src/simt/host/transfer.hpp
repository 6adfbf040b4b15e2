// Data under way: asynchronous copies and messages arrive at some later moment, at the latest when nothing else can
// run; and the barriers in shared memory that count them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/host/thread.hpp"

namespace tamis::simt::host {

// Behind a TransactionBarrier or a CopyBarrier: arrivals and bytes that its current phase lacks.
struct TransactionState {
  const void* address = nullptr;  // of the object in shared memory
  int arrivals = 0;               // a phase
  int missing_arrivals = 0;
  std::int64_t missing_bytes = 0;
  std::uint32_t phase = 0;
  Thread* waiting = nullptr;
  char order[2] = {};
};

struct Transfer {
  std::byte* destination = nullptr;
  const void* source = nullptr;  // null: `value`
  Value value{};
  std::size_t bytes = 0;
  TransactionState* barrier = nullptr;
  char* order = nullptr;  // the issuing thread's, for ThreadSanitizer
};

class Transfers {
 public:
  Transfers();
  ~Transfers();

  bool empty() const { return pending_.empty(); }
  std::size_t size() const { return pending_.size(); }
  void add(Transfer transfer);
  // No more fit: deliver first.
  bool full() const { return pending_.size() == capacity; }
  // Carries out one of them and returns the barrier that counted it.
  TransactionState& deliver(std::size_t which);

 private:
  static constexpr std::size_t capacity = 4096;

  std::vector<Transfer> pending_;  // never grows: memory is allocated outside GPU threads
  void* engine_;  // a thread of its own for ThreadSanitizer: what it does is ordered by the barriers alone
};

}  // namespace tamis::simt::host
