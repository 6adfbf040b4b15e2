// The emulator's own state: a machine runs one grid; it holds the resident clusters, their blocks and threads, and the
// list of those that can run. Never seen by kernels.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simt/host/arena.hpp"
#include "simt/host/emulator.hpp"
#include "simt/host/random.hpp"
#include "simt/host/report.hpp"
#include "simt/host/thread.hpp"
#include "simt/host/transfer.hpp"

namespace tamis::simt::host {

// Threads that wait for each other. `parity` separates one meeting from the next at the same barrier.
struct Meeting {
  const char* word = "";
  Location where;
  int arrived = 0;
  Thread* waiting = nullptr;
  unsigned parity = 0;
  int count[2] = {};   // threads that passed true
  char order[2] = {};  // the addresses ThreadSanitizer orders by
};

// One meeting of the lanes of `mask`.
struct Round {
  std::uint64_t mask = 0;
  Meeting meeting;
};

// A lane takes part in one round at a time, so there are never more rounds than lanes.
struct WarpState {
  std::vector<Round> rounds;
  std::vector<Thread*> lanes;
  std::uint64_t returned = 0;
  char order[64] = {};  // a lane; the addresses ThreadSanitizer orders by
};

struct ClusterState;

struct BlockState {
  static constexpr int groups = 16;
  static constexpr int most_transactions = 64;

  int grid_rank = 0;
  int returned = 0;
  bool stalled = false;
  ClusterState* cluster = nullptr;
  SharedArena arena;
  Meeting sync;
  Meeting group[groups];
  std::vector<WarpState> warps;
  std::vector<std::unique_ptr<Thread>> threads;
  TransactionState transactions[most_transactions];
  int transaction_count = 0;
};

struct ClusterState {
  int first_block = 0;
  int returned = 0;      // threads
  bool started = false;  // all blocks have met once: their shared memory may be reached
  Meeting meeting;
  std::vector<std::unique_ptr<BlockState>> blocks;
};

class Machine {
 public:
  Machine(const Grid& grid, const Schedule& schedule, Entry entry, const void* arguments);

  Report run();

  const Grid& grid() const { return grid_; }
  Thread& current() { return *current_; }

  // Other threads may run, and data under way may arrive, before this returns.
  void pause(Thread& thread);
  // `thread` arrives at a meeting of `members`; returns when all are there. The last to arrive does complete() first.
  template <class Complete>
  void meet(Thread& thread, Meeting& meeting, int members, Complete complete) {
    if (++meeting.arrived < members) return wait_in(thread, meeting.waiting);
    complete();
    finish(meeting);
  }
  // All have arrived: they go on, and the next meeting at this barrier may begin.
  void finish(Meeting& meeting);
  // `thread` waits until wake() is called on the list.
  void wait_in(Thread& thread, Thread*& list);
  void wake(Thread*& list);
  void start_transfer(const Transfer& transfer);
  void finish_phase_if_complete(TransactionState& barrier);
  void fence();
  // Ends the launch with the problem that describe() puts in words. The thread's stack is left as it stands: nothing
  // on it may own memory.
  template <class Describe>
  [[noreturn]] void fail(Thread& thread, Describe describe) {
    note(describe());
    abandon(thread);
  }

 private:
  void note(std::string problem);
  [[noreturn]] void abandon(Thread& thread);
  static void enter();  // where every GPU thread starts

  void admit();
  void start_cluster(int number);
  void start_thread(BlockState& block, int rank);
  void leave(Thread& thread);
  void retire_clusters();
  void release_threads(ClusterState& cluster);
  void end_abandoned(Thread& thread);
  std::unique_ptr<Thread> new_thread();

  void make_runnable(Thread& thread);
  Thread* pick();
  void resume(Thread& next);
  void switch_from(Thread& thread);
  void deliver_transfer();
  void stall_if_due(const Thread& thread);
  int next_pause();

  Grid grid_;
  Schedule schedule_;
  std::uint32_t lateness_;  // one transfer arrives in so many changes of threads; 0: when nothing else can go on
  Entry entry_;
  const void* arguments_;
  Random random_;
  Context main_;
  Transfers transfers_;
  std::vector<std::unique_ptr<ClusterState>> resident_;
  std::vector<Thread*> runnable_[2];                   // and those of a stalled block, which run when no others can
  std::vector<std::unique_ptr<Thread>> idle_threads_;  // freed last: a kernel's code has read them
  Thread* current_ = nullptr;
  std::vector<int> order_;  // in which clusters start
  std::size_t started_ = 0;
  int countdown_ = 0;        // words until the next pause
  std::uint64_t words_ = 0;  // since a thread returned
  ClusterState* stalling_ = nullptr;
  char fence_order_ = 0;
  char end_order_ = 0;
  Report report_;
};

// A problem of the word that `thread` is in: a literal, or a function that puts it in words.
template <class What>
[[noreturn]] void fail(Thread& thread, const char* word, Location where, What what) {
  thread.word = word;
  thread.where = where;
  thread.machine->fail(thread, [&] {
    if constexpr (std::is_convertible_v<What, std::string_view>) {
      return describe(thread) + ": " + what;
    } else {
      return describe(thread) + ": " + what();
    }
  });
}

}  // namespace tamis::simt::host
