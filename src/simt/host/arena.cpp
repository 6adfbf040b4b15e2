// Shared memory arenas and stacks, mapped anonymously: ThreadSanitizer forgets a mapping when it is released.
#include "simt/host/arena.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "simt/host/random.hpp"
#include "simt/host/sanitizers.hpp"

namespace tamis::simt::host {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t guard = page;
constexpr std::uint64_t guard_word = 0xA5C3A5C3A5C3A5C3u;
constexpr std::size_t stack_bytes = 64 * 1024;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::byte* map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

// Never zero and never small: no count or position looks like it.
std::uint32_t pattern(std::uint64_t seed, std::size_t index) {
  return static_cast<std::uint32_t>(mix(seed ^ (index << 20))) | 0x80000000u;
}

std::uint32_t fill_word(Fill fill, std::uint64_t seed, std::size_t index) {
  switch (fill) {
    case Fill::zeros:
      return 0;
    case Fill::ones:
      return ~0u;
    case Fill::pattern:
      break;
  }
  return pattern(seed, index);
}

struct StackPool {
  std::vector<Stack> idle;

  ~StackPool() {
    for (Stack stack : idle) munmap(static_cast<std::byte*>(stack.bottom) - guard, stack.bytes + guard);
  }
};

thread_local StackPool stacks;

}  // namespace

SharedArena::SharedArena(std::size_t bytes, Fill fill, std::uint64_t seed)
    : mapped_(round_up(bytes, page) + 2 * guard), size_(bytes), seed_(seed), fill_(fill) {
  mapping_ = map(mapped_);
  data_ = mapping_ + guard;
  auto* guards = reinterpret_cast<std::uint64_t*>(mapping_);
  for (std::size_t i = 0; i < mapped_ / 8; ++i) guards[i] = guard_word;
  auto* words = reinterpret_cast<std::uint32_t*>(data_);
  for (std::size_t i = 0; i < size_ / 4; ++i) words[i] = fill_word(fill, seed, i);
  poison(mapping_, guard);
  poison(data_ + size_, mapped_ - guard - size_);
}

SharedArena::SharedArena(SharedArena&& other) noexcept { *this = std::move(other); }

SharedArena& SharedArena::operator=(SharedArena&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(seed_, other.seed_);
  std::swap(fill_, other.fill_);
  return *this;
}

SharedArena::~SharedArena() {
  if (!mapping_) return;
  unpoison(mapping_, mapped_);
  munmap(mapping_, mapped_);
}

bool SharedArena::contains(const void* cell, std::size_t bytes) const {
  const auto* first = static_cast<const std::byte*>(cell);
  return first >= data_ && first < data_ + size_ && bytes <= static_cast<std::size_t>(data_ + size_ - first);
}

bool SharedArena::never_written(const void* cell) const {
  if (fill_ != Fill::pattern) return false;
  const std::size_t index = static_cast<std::size_t>(static_cast<const std::byte*>(cell) - data_) / 4;
  return reinterpret_cast<const std::uint32_t*>(data_)[index] == pattern(seed_, index);
}

bool SharedArena::guard_overwritten(std::ptrdiff_t& offset) const {
  const auto expected = [](std::size_t i) { return static_cast<std::byte>(guard_word >> (i % 8 * 8)); };
  for (std::size_t i = 0; i < mapped_; ++i) {
    offset = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(guard);
    const bool inside = offset >= 0 && static_cast<std::size_t>(offset) < size_;
    if (!inside && mapping_[i] != expected(i)) return true;
  }
  return false;
}

Stack take_stack() {
  if (!stacks.idle.empty()) {
    const Stack stack = stacks.idle.back();
    stacks.idle.pop_back();
    return stack;
  }
  std::byte* mapping = map(stack_bytes + guard);
  mprotect(mapping, guard, PROT_NONE);
  return {mapping + guard, stack_bytes};
}

void give_back(Stack stack) {
  unpoison(stack.bottom, stack.bytes);
  if (thread_sanitizer()) {
    munmap(static_cast<std::byte*>(stack.bottom) - guard, stack.bytes + guard);
  } else {
    stacks.idle.push_back(stack);
  }
}

}  // namespace tamis::simt::host
