// Guarded arrays. Guards are bytes of ones: NaN as a score, -1 as a number.

#include "support/buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tamis::testing {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::byte guard{0xff};

// An address sanitizer watches what follows the content better than a guard does: it sees reads too.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t after = 0;
void forbid(void* begin, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(begin, bytes); }
void permit(void* begin, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(begin, bytes); }
#else
constexpr std::size_t after = 256;
void forbid(void*, std::size_t) {}
void permit(void*, std::size_t) {}
#endif

void must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message);
}

}  // namespace

Buffer::Buffer(const detail::Memory& memory, const std::vector<std::byte>& content, std::size_t misalignment)
    : memory_(memory), before_(alignment + misalignment), size_(content.size()) {
  allocated_ = alignment + before_ + size_ + after;
  allocation_ = memory.allocate(allocated_);
  if (allocation_ == nullptr) throw std::runtime_error("no room for a test's array");
  const auto address = reinterpret_cast<std::uintptr_t>(allocation_);
  first_ = static_cast<std::byte*>(allocation_) + (alignment - address % alignment) % alignment;
  data_ = first_ + before_;
  std::vector<std::byte> image(before_ + size_ + after, guard);
  std::copy(content.begin(), content.end(), image.begin() + static_cast<std::ptrdiff_t>(before_));
  must(memory.write(first_, image.data(), image.size()));
  forbid(first_ + image.size(), rest());
}

Buffer::~Buffer() {
  permit(first_ + before_ + size_ + after, rest());
  memory_.release(allocation_);
}

std::size_t Buffer::rest() const {
  const auto used = static_cast<std::size_t>(first_ - static_cast<std::byte*>(allocation_)) + before_ + size_ + after;
  return allocated_ - used;
}

void Buffer::write(const std::vector<std::byte>& content) {
  must(memory_.write(data_, content.data(), content.size()));
}

std::vector<std::byte> Buffer::read(std::size_t offset, std::size_t bytes) const {
  std::vector<std::byte> result(bytes);
  if (bytes > 0) must(memory_.read(result.data(), first_ + offset, bytes));
  return result;
}

bool Buffer::guards_intact() const {
  const auto is_guard = [](std::byte byte) { return byte == guard; };
  const auto front = read(0, before_), back = read(before_ + size_, after);
  return std::all_of(front.begin(), front.end(), is_guard) && std::all_of(back.begin(), back.end(), is_guard);
}

}  // namespace tamis::testing
