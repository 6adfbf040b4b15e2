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

std::byte* Thread::shared(std::size_t bytes, Location at) {
  const SharedArena& arena = block->arena;
  if (bytes > arena.size()) {
    fail(*this, "shared", at, [&] { return fmt::format("asks for {} bytes; the launch has {}", bytes, arena.size()); });
  }
  return arena.data();
}

void Thread::check_shared(const void* cell, std::size_t bytes, const char* spoken, Location at) {
  const SharedArena& arena = block->arena;
  if (!arena.contains(cell, bytes)) fail(*this, spoken, at, "the cell is not in the block's shared memory");
  if (arena.never_written(cell)) {
    const auto offset = static_cast<const std::byte*>(cell) - arena.data();
    fail(*this, spoken, at, [&] { return fmt::format("byte {} of shared memory was never written", offset); });
  }
}

void Thread::check_global(const void* cell, const char* spoken, Location at) {
  if (block->arena.contains(cell, 1))
    fail(*this, spoken, at, "the cell is in shared memory, the word is for global memory");
  if (!loaded) loaded_at = at;
  loaded = true;
}

void Thread::check_aligned(const void* cell, std::size_t bytes, const char* spoken, Location at) {
  const auto address = reinterpret_cast<std::uintptr_t>(cell);
  if (address % bytes == 0) return;
  fail(*this, spoken, at, [&] { return fmt::format("address {:#x} must be a multiple of {}", address, bytes); });
}

void Thread::wait_for_previous_kernel(Location at) {
  pause();
  if (!loaded || waited_for_previous) {
    waited_for_previous = true;
    return;
  }
  fail(*this, "wait_for_previous_kernel", at,
       [&] { return fmt::format("global memory was read before it, at {}", place(loaded_at)); });
}

void Thread::fence() {
  pause();
  machine->fence();
}

void* Thread::map_to_block(void* cell, std::size_t bytes, int other, Location at) {
  const ClusterState& cluster = *block->cluster;
  const int blocks = static_cast<int>(cluster.blocks.size());
  if (other < 0 || other >= blocks)
    fail(*this, "remote", at, [&] { return fmt::format("rank {}; it must be 0 to {}", other, blocks - 1); });
  if (!block->arena.contains(cell, bytes)) fail(*this, "remote", at, "the cell is not in the block's shared memory");
  return cluster.blocks[other]->arena.data() + (static_cast<std::byte*>(cell) - block->arena.data());
}

void Thread::check_remote(const void* cell, std::size_t bytes, Access access, Location at) {
  const ClusterState& cluster = *block->cluster;
  if (!cluster.started && cluster.blocks.size() > 1) {
    fail(*this, "remote", at, "another block's shared memory is reached before the first cluster_sync");
  }
  for (const auto& other : cluster.blocks) {
    if (!other->arena.contains(cell, bytes)) continue;
    if (other->returned)
      fail(*this, "remote", at, [&] { return fmt::format("block {} may have returned", other->grid_rank); });
    if (access == Access::read && other->arena.never_written(cell)) {
      fail(*this, "remote", at,
           [&] { return fmt::format("shared memory of block {} was never written there", other->grid_rank); });
    }
    return;
  }
  fail(*this, "remote", at, "beyond the other block's shared memory");
}

}  // namespace tamis::simt::host
