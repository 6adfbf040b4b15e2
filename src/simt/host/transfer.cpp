// Transfers: what was issued, and its arrival.
#include "simt/host/transfer.hpp"

#include <cstring>
#include <utility>

#include "simt/host/sanitizers.hpp"

namespace tamis::simt::host {

Transfers::Transfers() : engine_(create_fiber()) { pending_.reserve(capacity); }

Transfers::~Transfers() { destroy_fiber(engine_); }

void Transfers::add(Transfer transfer) {
  release(transfer.order);
  pending_.push_back(transfer);
}

TransactionState& Transfers::deliver(std::size_t which) {
  std::swap(pending_[which], pending_.back());
  const Transfer transfer = pending_.back();
  pending_.pop_back();
  void* fiber = current_fiber();
  switch_fiber(engine_);
  acquire(transfer.order);
  std::memcpy(transfer.destination, transfer.source ? transfer.source : &transfer.value, transfer.bytes);
  release(&transfer.barrier->order[transfer.barrier->phase & 1]);
  switch_fiber(fiber);
  transfer.barrier->missing_bytes -= static_cast<std::int64_t>(transfer.bytes);
  return *transfer.barrier;
}

}  // namespace tamis::simt::host
