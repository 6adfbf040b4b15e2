// Who runs next. Threads change where one waits and, as the schedule has it, at any word.
#include <fmt/format.h>

#include <utility>

#include "simt/host/machine.hpp"
#include "simt/host/report.hpp"
#include "simt/host/sanitizers.hpp"

namespace tamis::simt::host {
namespace {

// A launch in which so many words are spoken and no thread returns is taken for one that never ends. A block that
// selects from a row of a million scores speaks some twenty million.
constexpr std::uint64_t most_words = 100'000'000;

}  // namespace

int Machine::next_pause() {
  if (schedule_.seed == 0) return schedule_.pause_every;
  return 1 + static_cast<int>(random_.below(2 * static_cast<std::uint32_t>(schedule_.pause_every)));
}

void Machine::make_runnable(Thread& thread) {
  thread.state = ThreadState::runnable;
  runnable_[thread.block->stalled ? 1 : 0].push_back(&thread);
}

Thread* Machine::pick() {
  auto& list = runnable_[runnable_[0].empty() ? 1 : 0];
  if (list.empty()) return nullptr;
  if (schedule_.seed != 0) std::swap(list[random_.below(static_cast<std::uint32_t>(list.size()))], list.back());
  Thread* next = list.back();
  list.pop_back();
  return next;
}

void Machine::resume(Thread& next) {
  current_ = &next;
  switch_context(main_, next.context);
}

void Machine::switch_from(Thread& thread) {
  Thread* next = pick();
  if (next == &thread) return;
  ++report_.switches;
  current_ = next;
  switch_context(thread.context, next ? next->context : main_);
}

void Machine::pause(Thread& thread) {
  if (--countdown_ > 0) return;
  countdown_ = next_pause();
  words_ += countdown_;
  if (words_ > most_words) fail(thread, [&] { return fmt::format("no end in sight: {}", describe(thread)); });
  stall_if_due(thread);
  if (!transfers_.empty() && lateness_ > 0 && random_.below(lateness_) == 0) deliver_transfer();
  make_runnable(thread);
  switch_from(thread);
}

void Machine::stall_if_due(const Thread& thread) {
  if (thread.block->cluster != stalling_ || random_.below(64) != 0) return;
  for (auto& block : std::exchange(stalling_, nullptr)->blocks) block->stalled = true;
}

void Machine::wait_in(Thread& thread, Thread*& list) {
  thread.state = ThreadState::waiting;
  thread.next_waiting = list;
  list = &thread;
  switch_from(thread);
}

void Machine::wake(Thread*& list) {
  for (Thread* thread = std::exchange(list, nullptr); thread;) {
    make_runnable(*std::exchange(thread, thread->next_waiting));
  }
}

void Machine::finish(Meeting& meeting) {
  meeting.arrived = 0;
  meeting.parity ^= 1;
  meeting.count[meeting.parity] = 0;
  wake(meeting.waiting);
}

void Machine::start_transfer(const Transfer& transfer) {
  if (transfers_.full()) deliver_transfer();
  transfers_.add(transfer);
}

void Machine::deliver_transfer() {
  const auto which = random_.below(static_cast<std::uint32_t>(transfers_.size()));
  finish_phase_if_complete(transfers_.deliver(which));
}

void Machine::finish_phase_if_complete(TransactionState& barrier) {
  if (barrier.missing_arrivals > 0 || barrier.missing_bytes != 0) return;
  barrier.missing_arrivals = barrier.arrivals;
  barrier.phase ^= 1;
  wake(barrier.waiting);
}

void Machine::fence() {
  acquire(&fence_order_);
  release(&fence_order_);
}

void Machine::note(std::string problem) {
  if (report_.ok()) report_.problem = std::move(problem);
}

void Machine::abandon(Thread& thread) { leave_context(thread.context, main_); }

}  // namespace tamis::simt::host
