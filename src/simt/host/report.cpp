// Problems in words.
#include "simt/host/report.hpp"

#include <fmt/format.h>

#include <string_view>

#include "simt/host/machine.hpp"

namespace tamis::simt::host {
namespace {

// Threads first..last of a block that do the same thing.
struct Alike {
  const Thread* first;
  const Thread* last;
};

bool alike(const Thread& a, const Thread& b) {
  if (a.state != b.state) return false;
  return a.state != ThreadState::waiting || (std::string_view(a.word) == b.word && a.where.line() == b.where.line() &&
                                             a.mask == b.mask && place(a.where) == place(b.where));
}

std::vector<Alike> group(const BlockState& block) {
  std::vector<Alike> groups;
  for (const auto& thread : block.threads) {
    if (!groups.empty() && alike(*groups.back().last, *thread)) {
      groups.back().last = thread.get();
    } else {
      groups.push_back({thread.get(), thread.get()});
    }
  }
  return groups;
}

std::string activity(const Thread& thread) {
  if (thread.state == ThreadState::returned) return "have returned";
  if (thread.state == ThreadState::runnable) return "can run";
  const std::string mask = thread.mask ? fmt::format(" with lanes {:#x}", thread.mask) : std::string();
  return fmt::format("wait in {}{} at {}", thread.word, mask, place(thread.where));
}

std::string describe_block(const BlockState& block) {
  constexpr std::size_t most = 12;
  std::string text;
  const std::vector<Alike> groups = group(block);
  for (std::size_t i = 0; i < groups.size() && i < most; ++i) {
    text += fmt::format("\n  block {}: threads {} to {} {}", block.grid_rank, groups[i].first->rank,
                        groups[i].last->rank, activity(*groups[i].first));
  }
  if (groups.size() > most)
    text += fmt::format("\n  block {}: and {} more groups", block.grid_rank, groups.size() - most);
  return text;
}

}  // namespace

std::string place(const Location& where) {
  std::string_view file = where.file_name();
  for (std::string_view root : {"/src/", "/tests/"}) {
    if (const auto at = file.rfind(root); at != std::string_view::npos) file.remove_prefix(at + 1);
  }
  return fmt::format("{}:{}", file, where.line());
}

std::string describe(const Thread& thread) {
  return fmt::format("block {}, thread {} (warp {}, lane {}) in {} at {}", thread.block->grid_rank, thread.rank,
                     thread.warp, thread.lane, thread.word, place(thread.where));
}

std::string describe_deadlock(const std::vector<std::unique_ptr<ClusterState>>& clusters) {
  std::string text = "deadlock: no thread can run";
  for (const auto& cluster : clusters) {
    for (const auto& block : cluster->blocks) text += describe_block(*block);
  }
  return text;
}

std::string describe_overrun(const ClusterState& cluster) {
  for (const auto& block : cluster.blocks) {
    if (std::ptrdiff_t offset = 0; block->arena.guard_overwritten(offset)) {
      return fmt::format("block {} wrote outside its shared memory: at byte {} of {}", block->grid_rank, offset,
                         block->arena.size());
    }
  }
  return {};
}

void check_leaving(Thread& thread) {
  const BlockState& block = *thread.block;
  thread.word = "return";
  if (block.sync.waiting) {
    thread.machine->fail(thread, [&] {
      return fmt::format("block {}: thread {} returned while thread {} waits for it in {} at {}", block.grid_rank,
                         thread.rank, block.sync.waiting->rank, block.sync.word, place(block.sync.where));
    });
  }
  for (const Round& round : block.warps[thread.warp].rounds) {
    if (!round.meeting.arrived || !(round.mask >> thread.lane & 1)) continue;
    thread.machine->fail(thread, [&] {
      return fmt::format("block {}: thread {} returned while lanes {:#x} of its warp need it in {} at {}",
                         block.grid_rank, thread.rank, round.mask, round.meeting.word, place(round.meeting.where));
    });
  }
}

}  // namespace tamis::simt::host
