// What a GPU leaves unsaid about memory: where a cell lies, whether it was written, whether it may be read yet.
#include <fmt/format.h>

#include "simt/host/machine.hpp"
#include "simt/host/report.hpp"
#include "simt/host/sanitizers.hpp"

namespace tamis::simt::host {

void Thread::pause() { machine->pause(*this); }

int Thread::grid_rank() const { return block->grid_rank; }
int Thread::grid_size() const { return machine->grid().blocks; }
int Thread::cluster_rank() const { return block->grid_rank - block->cluster->first_block; }

void Thread::fail(const char* spoken, std::string_view what, Location at) {
  word = spoken;
  where = at;
  machine->fail(*this, fmt::format("{}: {}", describe(*this), what));
}

std::byte* Thread::shared(std::size_t bytes, Location at) {
  const SharedArena& arena = block->arena;
  if (bytes > arena.size()) {
    fail("shared", fmt::format("asks for {} bytes; the launch has {}", bytes, arena.size()), at);
  }
  return arena.data();
}

void Thread::check_shared(const void* cell, std::size_t bytes, const char* spoken, Location at) {
  const SharedArena& arena = block->arena;
  if (!arena.contains(cell, bytes)) fail(spoken, "the cell is not in the block's shared memory", at);
  if (arena.never_written(cell)) {
    const auto offset = static_cast<const std::byte*>(cell) - arena.data();
    fail(spoken, fmt::format("byte {} of shared memory was never written", offset), at);
  }
}

void Thread::check_global(const void* cell, const char* spoken, Location at) {
  if (block->arena.contains(cell, 1)) fail(spoken, "the cell is in shared memory, the word is for global memory", at);
  if (!loaded) loaded_at = at;
  loaded = true;
}

void Thread::check_aligned(const void* cell, std::size_t bytes, const char* spoken, Location at) {
  const auto address = reinterpret_cast<std::uintptr_t>(cell);
  if (address % bytes == 0) return;
  fail(spoken, fmt::format("address {:#x} must be a multiple of {}", address, bytes), at);
}

void Thread::wait_for_previous_kernel(Location at) {
  pause();
  if (!loaded || waited_for_previous) {
    waited_for_previous = true;
    return;
  }
  fail("wait_for_previous_kernel", fmt::format("global memory was read before it, at {}", place(loaded_at)), at);
}

void Thread::fence() {
  pause();
  machine->fence();
}

void* Thread::map_to_block(void* cell, std::size_t bytes, int other, Location at) {
  const ClusterState& cluster = *block->cluster;
  const int blocks = static_cast<int>(cluster.blocks.size());
  if (other < 0 || other >= blocks) fail("remote", fmt::format("rank {}; it must be 0 to {}", other, blocks - 1), at);
  if (!block->arena.contains(cell, bytes)) fail("remote", "the cell is not in the block's shared memory", at);
  return cluster.blocks[other]->arena.data() + (static_cast<std::byte*>(cell) - block->arena.data());
}

void Thread::check_remote(const void* cell, std::size_t bytes, Access access, Location at) {
  const ClusterState& cluster = *block->cluster;
  if (!cluster.started && cluster.blocks.size() > 1) {
    fail("remote", "another block's shared memory is reached before the first cluster_sync", at);
  }
  for (const auto& other : cluster.blocks) {
    if (!other->arena.contains(cell, bytes)) continue;
    if (other->returned) fail("remote", fmt::format("block {} may have returned", other->grid_rank), at);
    if (access == Access::read && other->arena.never_written(cell)) {
      fail("remote", fmt::format("shared memory of block {} was never written there", other->grid_rank), at);
    }
    return;
  }
  fail("remote", "beyond the other block's shared memory", at);
}

}  // namespace tamis::simt::host
