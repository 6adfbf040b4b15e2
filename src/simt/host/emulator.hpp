// The emulator of a GPU on the host: runs a grid of blocks, every GPU thread a fiber, under a schedule that a seed
// determines, and reports what no GPU would say: who waits for whom, who reads what was never written.
//
//   Report report = launch<Kernel, Block<256, 32>>({.blocks = rows, .shared_bytes = bytes}, arguments,
//   schedule_of(seed));
//
// A launch runs on the calling thread. Launches on different threads do not meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tamis::simt::host {

struct Thread;

struct Grid {
  int blocks = 1;                    // a multiple of cluster
  int threads = 32;                  // a block, a multiple of lanes
  int lanes = 32;                    // a warp: 32 or 64
  int cluster = 1;                   // blocks a cluster, up to 16
  std::size_t shared_bytes = 0;      // a block
  std::size_t shared_limit = 65536;  // of the device that is emulated
};

// In what order blocks (clusters of them) start.
enum class Blocks {
  forward,
  reverse,
  shuffled,
  one_stalled,  // one stops somewhere on its way until all others are done
};

// What a block's shared memory holds when it starts.
enum class Fill {
  pattern,  // words of the seed; an atomic on a word that still has its own is reported
  zeros,
  ones,
};

// Everything about a run that a GPU leaves open. Equal schedules, equal runs.
struct Schedule {
  std::uint64_t seed = 0;
  Blocks blocks = Blocks::forward;
  int resident = 1;        // clusters in flight at once
  int pause_every = 4096;  // words a thread speaks between two changes of threads, on average
  Fill fill = Fill::pattern;
};

// A schedule that draws every choice from the seed; 0 is the plain one: in order, one cluster at a time.
Schedule schedule_of(std::uint64_t seed);

struct Report {
  std::string problem;         // empty: none was found. Otherwise what, who, and the lines of source
  std::uint64_t switches = 0;  // between threads

  bool ok() const { return problem.empty(); }
};

using Entry = void (*)(Thread& thread, const void* arguments);

// Runs the grid until every thread has returned or a problem is found; what the kernel wrote until then is written.
Report run(const Grid& grid, const Schedule& schedule, Entry entry, const void* arguments);

// A call of a word that waits, by its place in the source. To skip one the end of the file's path is enough.
struct BarrierSite {
  std::string word;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  bool operator==(const BarrierSite&) const = default;
};

// For barrier mutation: the sites passed so far in this process, and the one site at which no thread waits from now
// on (null: all wait). To be called while nothing is launched.
std::vector<BarrierSite> barrier_sites();
void skip_barrier(const BarrierSite* site);

}  // namespace tamis::simt::host
