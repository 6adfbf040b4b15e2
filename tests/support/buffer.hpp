// An array in a device's memory with a guard zone on either side. Built from its content; read back and checked after
// the work is done.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/backend.hpp"

namespace tamis::testing {

class Buffer {
 public:
  // Uploads `content` to an address `misalignment` bytes past a multiple of 256. Throws std::runtime_error on failure.
  Buffer(const detail::Memory& memory, const std::vector<std::byte>& content, std::size_t misalignment = 0);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* data() const { return data_; }  // never null
  std::size_t size() const { return size_; }

  // What the device holds now.
  std::vector<std::byte> content() const { return read(before_, size_); }

  // Whether the bytes around the content are as they were.
  bool guards_intact() const;

  // Replaces the content by as many bytes.
  void write(const std::vector<std::byte>& content);

 private:
  std::vector<std::byte> read(std::size_t offset, std::size_t bytes) const;
  std::size_t rest() const;  // bytes of the allocation past the back guard

  const detail::Memory& memory_;
  std::size_t allocated_ = 0;
  void* allocation_ = nullptr;
  std::byte* first_ = nullptr;  // the front guard, within the allocation
  std::size_t before_ = 0;      // bytes of the front guard
  std::size_t size_ = 0;
  void* data_ = nullptr;
};

}  // namespace tamis::testing
