// The life of a launch: clusters are admitted, their threads run until they return, clusters are retired.
#include "simt/host/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "simt/host/report.hpp"
#include "simt/host/sanitizers.hpp"

namespace tamis::simt::host {
namespace {

thread_local Machine* running = nullptr;

std::vector<int> starting_order(int clusters, Blocks blocks, Random& random) {
  std::vector<int> order(clusters);
  std::iota(order.begin(), order.end(), 0);
  if (blocks == Blocks::reverse) std::reverse(order.begin(), order.end());
  if (blocks == Blocks::forward || blocks == Blocks::reverse) return order;
  for (int i = clusters - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

// ThreadSanitizer tells 8128 threads apart.
constexpr int most_threads = 8000;

// Clusters in flight at once: as the schedule says, one more than a stalled one, and no more than can be followed.
int resident_clusters(const Grid& grid, const Schedule& schedule) {
  const int wanted = std::max(schedule.resident, schedule.blocks == Blocks::one_stalled ? 2 : 1);
  if (!thread_sanitizer()) return wanted;
  return std::max(1, std::min(wanted, most_threads / (grid.cluster * grid.threads)));
}

std::string wrong_grid(const Grid& grid) {
  if (grid.lanes != 32 && grid.lanes != 64) return fmt::format("grid.lanes is {}; it must be 32 or 64", grid.lanes);
  if (grid.threads < grid.lanes || grid.threads > 1024 || grid.threads % grid.lanes != 0) {
    return fmt::format("grid.threads is {}; it must be a multiple of {} up to 1024", grid.threads, grid.lanes);
  }
  if (grid.cluster < 1 || grid.cluster > 16) return fmt::format("grid.cluster is {}; it must be 1 to 16", grid.cluster);
  if (grid.blocks < 0 || grid.blocks % grid.cluster != 0) {
    return fmt::format("grid.blocks is {}; it must be a multiple of grid.cluster, {}", grid.blocks, grid.cluster);
  }
  if (thread_sanitizer() && grid.cluster * grid.threads > most_threads) {
    return fmt::format("a cluster has {} threads; ThreadSanitizer follows at most {}", grid.cluster * grid.threads,
                       most_threads);
  }
  if (grid.shared_bytes > grid.shared_limit) {
    return fmt::format("grid.shared_bytes is {}; the device has {}", grid.shared_bytes, grid.shared_limit);
  }
  return {};
}

// A lone copy that arrives at once would hide a missing wait for it.
std::uint32_t lateness_of(std::uint64_t seed) {
  constexpr std::uint32_t changes[] = {1, 8, 64, 512};
  return seed == 0 ? 0 : changes[mix(~seed) % 4];
}

}  // namespace

Schedule schedule_of(std::uint64_t seed) {
  if (seed == 0) return {};
  Random random(seed);
  constexpr int pauses[] = {3, 16, 64, 1024};
  constexpr Fill fills[] = {Fill::pattern, Fill::pattern, Fill::zeros, Fill::ones};
  return {.seed = seed,
          .blocks = static_cast<Blocks>(random.below(4)),
          .resident = 1 + static_cast<int>(random.below(4)),
          .pause_every = pauses[random.below(4)],
          .fill = fills[random.below(4)]};
}

Report run(const Grid& grid, const Schedule& schedule, Entry entry, const void* arguments) {
  if (std::string problem = wrong_grid(grid); !problem.empty()) return {.problem = std::move(problem)};
  return Machine(grid, schedule, entry, arguments).run();
}

Thread& current_thread() { return running->current(); }

Machine::Machine(const Grid& grid, const Schedule& schedule, Entry entry, const void* arguments)
    : grid_(grid),
      schedule_(schedule),
      lateness_(lateness_of(schedule.seed)),
      entry_(entry),
      arguments_(arguments),
      random_(schedule.seed),
      order_(starting_order(grid.blocks / grid.cluster, schedule.blocks, random_)) {
  schedule_.resident = resident_clusters(grid, schedule);
  const auto threads = static_cast<std::size_t>(schedule_.resident) * grid.cluster * grid.threads;
  for (auto& list : runnable_) list.reserve(threads);
  countdown_ = next_pause();
}

Report Machine::run() {
  Machine* outer = std::exchange(running, this);
  adopt_current(main_);
  while (report_.ok()) {
    retire_clusters();
    admit();
    if (Thread* next = pick()) {
      resume(*next);
    } else if (!transfers_.empty()) {
      deliver_transfer();
    } else if (resident_.empty()) {
      break;
    } else {
      report_.problem = describe_deadlock(resident_);
    }
  }
  for (auto& cluster : resident_) release_threads(*cluster);
  acquire(&end_order_);
  running = outer;
  return std::move(report_);
}

void Machine::admit() {
  while (resident_.size() < static_cast<std::size_t>(schedule_.resident) && started_ < order_.size()) {
    start_cluster(order_[started_++]);
  }
}

void Machine::start_cluster(int number) {
  auto cluster = std::make_unique<ClusterState>();
  cluster->first_block = number * grid_.cluster;
  for (int rank = 0; rank < grid_.cluster; ++rank) {
    auto block = std::make_unique<BlockState>();
    block->grid_rank = cluster->first_block + rank;
    block->cluster = cluster.get();
    block->arena = SharedArena(grid_.shared_bytes, schedule_.fill, mix(schedule_.seed + block->grid_rank));
    block->warps.resize(grid_.threads / grid_.lanes);
    for (WarpState& warp : block->warps) warp.rounds.resize(grid_.lanes);
    for (int i = 0; i < grid_.threads; ++i) start_thread(*block, i);
    cluster->blocks.push_back(std::move(block));
  }
  if (schedule_.blocks == Blocks::one_stalled && started_ == 1) stalling_ = cluster.get();
  resident_.push_back(std::move(cluster));
}

void Machine::start_thread(BlockState& block, int rank) {
  std::unique_ptr<Thread> thread = new_thread();
  thread->rank = rank;
  thread->lane = rank % grid_.lanes;
  thread->warp = rank / grid_.lanes;
  thread->block = &block;
  thread->machine = this;
  const Stack stack = take_stack();
  const std::size_t colour =
      static_cast<std::size_t>(rank * 37 % 64) * 64;  // spreads stacks over the sets of the cache
  thread->stack = stack;
  prepare(thread->context, stack.bottom, stack.bytes - colour, &Machine::enter);
  thread->context.tsan_fiber = create_fiber();
  block.warps[thread->warp].lanes.push_back(thread.get());
  make_runnable(*thread);
  block.threads.push_back(std::move(thread));
}

void Machine::enter() {
  Thread& thread = running->current();
  finish_switch(thread.context);
  running->entry_(thread, running->arguments_);
  running->leave(thread);
}

void Machine::leave(Thread& thread) {
  check_leaving(thread);
  thread.state = ThreadState::returned;
  words_ = 0;
  thread.block->warps[thread.warp].returned |= std::uint64_t{1} << thread.lane;
  ++thread.block->returned;
  ++thread.block->cluster->returned;
  release(&end_order_);
  leave_context(thread.context, main_);
}

void Machine::retire_clusters() {
  const auto done = [&](const auto& cluster) { return cluster->returned == grid_.cluster * grid_.threads; };
  for (auto& cluster : resident_) {
    if (!done(cluster)) continue;
    if (report_.ok()) report_.problem = describe_overrun(*cluster);
    release_threads(*cluster);
  }
  std::erase_if(resident_, done);
}

// Their threads may be needed again; nobody else knows them any more.
void Machine::release_threads(ClusterState& cluster) {
  for (auto& block : cluster.blocks) {
    for (auto& thread : block->threads) {
      if (thread->state != ThreadState::returned) end_abandoned(*thread);
      destroy_fiber(thread->context.tsan_fiber);
      give_back(thread->stack);
      idle_threads_.push_back(std::move(thread));
    }
  }
}

// In the name of a thread that was left where it stood, so that what it did is ordered before what follows.
void Machine::end_abandoned(Thread& thread) {
  switch_fiber(thread.context.tsan_fiber);
  release(&end_order_);
  switch_fiber(main_.tsan_fiber);
}

std::unique_ptr<Thread> Machine::new_thread() {
  if (idle_threads_.empty()) return std::make_unique<Thread>();
  std::unique_ptr<Thread> thread = std::move(idle_threads_.back());
  idle_threads_.pop_back();
  *thread = Thread();
  return thread;
}

}  // namespace tamis::simt::host
