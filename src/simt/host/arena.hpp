// Memory of the emulator: the shared memory of a block, filled with what a kernel must not rely on and with guards on
// both sides; and the stacks of GPU threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/host/emulator.hpp"

namespace tamis::simt::host {

class SharedArena {
 public:
  SharedArena() = default;
  SharedArena(std::size_t bytes, Fill fill, std::uint64_t seed);
  SharedArena(SharedArena&& other) noexcept;
  SharedArena& operator=(SharedArena&& other) noexcept;
  ~SharedArena();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool contains(const void* cell, std::size_t bytes) const;
  // Whether the word that `cell` lies in still holds its pattern: nobody has written it.
  bool never_written(const void* cell) const;
  // The distance from data() to a guard byte that was overwritten, in `offset`.
  bool guard_overwritten(std::ptrdiff_t& offset) const;

 private:
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t seed_ = 0;
  Fill fill_ = Fill::pattern;
};

struct Stack {
  void* bottom = nullptr;
  std::size_t bytes = 0;
};

// Stacks are kept for reuse by the operating system's thread. Under ThreadSanitizer each is fresh: what two GPU threads
// did on one stack, one after the other, is no race.
Stack take_stack();
void give_back(Stack stack);

}  // namespace tamis::simt::host
