// Barriers in shared memory that count arrivals and bytes under way.
#include <fmt/format.h>

#include "simt/host/machine.hpp"
#include "simt/host/report.hpp"
#include "simt/host/sanitizers.hpp"
#include "simt/host/sites.hpp"

namespace tamis::simt::host {
namespace {

TransactionState* find(BlockState& block, const void* object) {
  for (int i = 0; i < block.transaction_count; ++i) {
    if (block.transactions[i].address == object) return &block.transactions[i];
  }
  return nullptr;
}

TransactionState& find_or_fail(Thread& thread, BlockState& block, const void* object, const char* word,
                               Location where) {
  TransactionState* barrier = find(block, object);
  if (!barrier) fail(thread, word, where, "the barrier was never initialised");
  return *barrier;
}

void expect_sixteen(Thread& thread, const void* destination, const void* source, std::size_t bytes, Location where) {
  thread.check_aligned(destination, 16, "copy", where);
  thread.check_aligned(source, 16, "copy", where);
  if (bytes % 16 != 0)
    fail(thread, "copy", where, [&] { return fmt::format("{} bytes; it must be a multiple of 16", bytes); });
}

}  // namespace

void Thread::transaction_init(const void* object, int arrivals, Location at) {
  pause();
  check_aligned(object, 8, "init", at);
  if (!block->arena.contains(object, 8)) fail(*this, "init", at, "the barrier is not in the block's shared memory");
  TransactionState* barrier = find(*block, object);
  if (!barrier) {
    if (block->transaction_count == BlockState::most_transactions)
      fail(*this, "init", at, "more than 64 barriers in a block");
    barrier = &block->transactions[block->transaction_count++];
  }
  *barrier = {.address = object, .arrivals = arrivals, .missing_arrivals = arrivals};
}

void Thread::transaction_arrive(const void* object, std::int64_t bytes, Location at) {
  pause();
  TransactionState& barrier = find_or_fail(*this, *block, object, "arrive", at);
  if (barrier.missing_arrivals == 0)
    fail(*this, "arrive", at, "more arrivals in a phase than the barrier was made for");
  release(&barrier.order[barrier.phase & 1]);
  --barrier.missing_arrivals;
  barrier.missing_bytes += bytes;
  machine->finish_phase_if_complete(barrier);
}

void Thread::transaction_wait(const void* object, std::uint32_t phase, const char* spoken, Location at) {
  if (skipped(spoken, at)) return;
  word = spoken;
  mask = 0;
  where = at;
  pause();
  TransactionState& barrier = find_or_fail(*this, *block, object, spoken, at);
  while (barrier.phase == phase) machine->wait_in(*this, barrier.waiting);
  acquire(&barrier.order[phase & 1]);
}

void Thread::copy(void* destination, const void* from, std::size_t bytes, const void* object, Location at) {
  pause();
  expect_sixteen(*this, destination, from, bytes, at);
  if (!block->arena.contains(destination, bytes))
    fail(*this, "copy", at, "the destination is not in the block's shared memory");
  TransactionState& barrier = find_or_fail(*this, *block, object, "copy", at);
  machine->start_transfer({.destination = static_cast<std::byte*>(destination),
                           .source = from,
                           .bytes = bytes,
                           .barrier = &barrier,
                           .order = &order});
}

void Thread::send(void* destination, Value sent, std::size_t bytes, const void* object, int rank_there, Location at) {
  pause();
  check_remote(destination, bytes, Access::write, at);
  BlockState& other = *block->cluster->blocks[rank_there];
  if (!other.arena.contains(destination, bytes))
    fail(*this, "send", at, "destination and barrier are in different blocks");
  const void* there = other.arena.data() + (static_cast<const std::byte*>(object) - block->arena.data());
  machine->start_transfer({.destination = static_cast<std::byte*>(destination),
                           .value = sent,
                           .bytes = bytes,
                           .barrier = &find_or_fail(*this, other, there, "send", at),
                           .order = &order});
}

}  // namespace tamis::simt::host
