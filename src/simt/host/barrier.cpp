// The words that wait for the block, for some of its warps, or for the cluster.
#include <fmt/format.h>

#include "simt/host/machine.hpp"
#include "simt/host/report.hpp"
#include "simt/host/sanitizers.hpp"
#include "simt/host/sites.hpp"

namespace tamis::simt::host {
namespace {

void announce(Thread& thread, const char* word, std::uint64_t mask, Location where) {
  thread.word = word;
  thread.mask = mask;
  thread.where = where;
  thread.pause();
}

bool same_call(const Meeting& meeting, const char* word, const Location& where) {
  return std::string_view(meeting.word) == word && meeting.where.line() == where.line() &&
         meeting.where.column() == where.column() && std::string_view(meeting.where.file_name()) == where.file_name();
}

// The first to arrive says which call it is; the others must make the same one.
void expect_same_call(Thread& thread, Meeting& meeting) {
  if (meeting.arrived == 0) {
    meeting.word = thread.word;
    meeting.where = thread.where;
  } else if (!same_call(meeting, thread.word, thread.where)) {
    thread.machine->fail(thread, [&] {
      return fmt::format(
          "{}, while threads of its block wait in {} at {}: a word for the whole block "
          "in a branch that not all threads take",
          describe(thread), meeting.word, place(meeting.where));
    });
  }
}

void expect_nobody_returned(Thread& thread) {
  if (thread.block->returned == 0) return;
  thread.machine->fail(thread, [&] {
    return fmt::format("{}: {} threads of the block have returned and never arrive", describe(thread),
                       thread.block->returned);
  });
}

// Arrives at `meeting`, waits, and orders memory: what the members wrote before, all see after.
template <class Complete>
void meet(Thread& thread, Meeting& meeting, int members, Complete complete) {
  const unsigned parity = meeting.parity;
  release(&meeting.order[parity]);
  thread.machine->meet(thread, meeting, members, complete);
  acquire(&meeting.order[parity]);
}

void sync_block(Thread& thread) {
  expect_nobody_returned(thread);
  expect_same_call(thread, thread.block->sync);
  meet(thread, thread.block->sync, thread.machine->grid().threads, [] {});
}

Meeting& group_of(Thread& thread, int barrier, int members) {
  const Grid& grid = thread.machine->grid();
  if (barrier < 1 || barrier >= BlockState::groups) {
    thread.machine->fail(thread,
                         [&] { return fmt::format("{}: barrier {}; it must be 1 to 15", describe(thread), barrier); });
  }
  if (members < 1 || members > grid.threads || members % grid.lanes != 0) {
    thread.machine->fail(thread, [&] {
      return fmt::format("{}: {} members; it must be a multiple of {} up to {}", describe(thread), members, grid.lanes,
                         grid.threads);
    });
  }
  return thread.block->group[barrier];
}

int cluster_threads(const Thread& thread) { return thread.machine->grid().threads * thread.machine->grid().cluster; }

}  // namespace

void Thread::sync(Location at) {
  if (skipped("sync", at)) return;
  announce(*this, "sync", 0, at);
  sync_block(*this);
}

int Thread::sync_count(bool predicate, Location at) {
  announce(*this, "sync_count", 0, at);
  Meeting& meeting = block->sync;
  const unsigned parity = meeting.parity;
  meeting.count[parity] += predicate ? 1 : 0;
  sync_block(*this);
  return meeting.count[parity];
}

void Thread::sync_group(int barrier, int members, Location at) {
  if (skipped("sync_group", at)) return;
  announce(*this, "sync_group", 0, at);
  meet(*this, group_of(*this, barrier, members), members, [] {});
}

void Thread::arrive_group(int barrier, int members, Location at) {
  announce(*this, "arrive_group", 0, at);
  Meeting& meeting = group_of(*this, barrier, members);
  release(&meeting.order[meeting.parity]);
  if (++meeting.arrived == members) machine->finish(meeting);
}

void Thread::cluster_sync(Location at) {
  if (skipped("cluster_sync", at)) return;
  cluster_arrive(at);
  cluster_wait(at);
}

void Thread::cluster_arrive(Location at) {
  announce(*this, "cluster_arrive", 0, at);
  expect_nobody_returned(*this);
  Meeting& meeting = block->cluster->meeting;
  cluster_parity = meeting.parity;
  release(&meeting.order[meeting.parity]);
  if (++meeting.arrived < cluster_threads(*this)) return;
  block->cluster->started = true;
  machine->finish(meeting);
}

void Thread::cluster_wait(Location at) {
  announce(*this, "cluster_wait", 0, at);
  Meeting& meeting = block->cluster->meeting;
  if (meeting.parity == cluster_parity) machine->wait_in(*this, meeting.waiting);
  acquire(&meeting.order[cluster_parity]);
}

}  // namespace tamis::simt::host
