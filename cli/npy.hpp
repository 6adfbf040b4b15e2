// .npy files: mapped into memory to read, written under a temporary name and then renamed. Every error names the
// argument that named the file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "npy_header.hpp"

namespace tamis::cli {
class PendingFile;
}

namespace tamis::npy {

// A file as the command line names it: which argument, and its value.
struct File {
  std::string argument;  // "--scores"
  std::string path;
};

// An array whose elements stay in the file: pages are read when touched and may be dropped again, so it may be larger
// than memory.
class MappedArray {
 public:
  // Throws cli::Error when `file` is not a whole .npy file of an element type that tamis knows.
  explicit MappedArray(const File& file);
  ~MappedArray();
  MappedArray(MappedArray&& other) noexcept;
  MappedArray& operator=(MappedArray&&) = delete;

  const File& file() const { return file_; }
  Element element() const { return header_.element; }
  const Dimensions& shape() const { return header_.shape; }
  std::int64_t count() const { return header_.count(); }
  const void* data() const { return bytes_.data() + header_.data_offset; }

 private:
  File file_;
  std::span<const std::byte> bytes_;  // the whole file
  Header header_;
};

// An array being written, front to back. Until commit() nothing stands at the path but what stood there before; without
// commit() the destructor leaves nothing behind.
class ArrayWriter {
 public:
  // Throws cli::Error when the path is not that of a regular file or of one that can be made.
  ArrayWriter(const File& file, Element element, const Dimensions& shape);
  ~ArrayWriter();
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;

  void write(std::span<const std::byte> elements);
  void commit();  // all of shape's elements were written: gives the file its name

 private:
  [[noreturn]] void fail(const char* what) const;
  void require_room() const;
  void close();

  File file_;
  std::string target_;     // the path with symbolic links resolved
  std::string temporary_;  // in the same folder; "" once renamed
  std::unique_ptr<cli::PendingFile> pending_;
  int descriptor_ = -1;
  std::size_t missing_bytes_ = 0;
};

// Throws cli::Error unless no output is an input or another output.
void require_distinct(std::span<const File> inputs, std::span<const File> outputs);

}  // namespace tamis::npy
