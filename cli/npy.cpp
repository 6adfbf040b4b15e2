// See npy.hpp.

#include "npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "error.hpp"
#include "pending_files.hpp"

namespace tamis::npy {
namespace {

using cli::Error;
using cli::Exit;

// Up to this size pages are mapped at once, so that what is timed later is not the mapping.
constexpr std::size_t populate_limit = std::size_t{1} << 30;

Error bad(const File& file, std::string_view reason) {
  return Error(Exit::usage, fmt::format("{} is '{}'; {}", file.argument, file.path, reason));
}

// An errno: a path that leads nowhere is the argument's fault, anything else the machine's.
Error failed(const File& file, int error) {
  const bool no_such_path =
      error == ENOENT || error == ENOTDIR || error == EISDIR || error == ENAMETOOLONG || error == ELOOP;
  return Error(no_such_path ? Exit::usage : Exit::machine,
               fmt::format("{} is '{}'; {}", file.argument, file.path, std::strerror(error)));
}

struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

std::span<const std::byte> map(const File& file) {
  // Not blocking: a named pipe without a writer would never open.
  const Descriptor descriptor{::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (descriptor.number < 0) throw failed(file, errno);
  struct stat status {};
  if (::fstat(descriptor.number, &status) != 0) throw failed(file, errno);
  if (!S_ISREG(status.st_mode)) throw bad(file, "it must be a regular file");
  if (status.st_size == 0) throw bad(file, "it is empty; it must be a .npy file");
  const auto size = static_cast<std::size_t>(status.st_size);
  const int populate = size <= populate_limit ? MAP_POPULATE : 0;
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | populate, descriptor.number, 0);
  if (data == MAP_FAILED) throw failed(file, errno);
  return {static_cast<const std::byte*>(data), size};
}

Header checked_header(const File& file, std::span<const std::byte> bytes) {
  const Result<Header> header = parse_header(bytes);
  if (!header.ok()) throw bad(file, header.status.message);
  const auto& [element, shape, data_offset] = header.value;
  const std::size_t wanted = data_offset + header.value.data_bytes();
  if (bytes.size() != wanted)
    throw bad(file, fmt::format("it is {} bytes long; it must be {} for {} of shape {}", bytes.size(), wanted,
                                descr(element), text(shape)));
  if (data_offset % element_bytes(element) != 0)
    throw bad(file, fmt::format("its elements begin at byte {}; they must be aligned to their {} bytes", data_offset,
                                element_bytes(element)));
  return header.value;
}

void unmap(std::span<const std::byte> bytes) {
  if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

// The path from the root, without links and dots, of a file that need not exist.
std::filesystem::path canonical(const std::string& path, std::error_code& error) {
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return std::filesystem::weakly_canonical(absolute, error);
}

// Where the file will stand: rename would put a file in the place of a symbolic link.
std::string resolved(const File& file) {
  std::error_code error;
  const std::filesystem::path path = canonical(file.path, error);
  if (error || file.path.empty() || file.path.back() == '/') throw bad(file, "it must be the path of a file");
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)))
    throw bad(file, "it is a symbolic link that leads nowhere; it must be the path of a file");
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw bad(file, "something else than a regular file stands there; it must be the path of a file");
  return path.string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error) && !error) return true;
  return canonical(a, error) == canonical(b, error);
}

}  // namespace

MappedArray::MappedArray(const File& file) : file_(file), bytes_(map(file)) {
  try {
    header_ = checked_header(file, bytes_);
  } catch (...) {
    unmap(bytes_);
    throw;
  }
}

MappedArray::~MappedArray() { unmap(bytes_); }

MappedArray::MappedArray(MappedArray&& other) noexcept
    : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {})), header_(std::move(other.header_)) {}

ArrayWriter::ArrayWriter(const File& file, Element element, const Dimensions& shape)
    : file_(file), target_(resolved(file)), temporary_(fmt::format("{}.{}.part", target_, ::getpid())) {
  pending_ = std::make_unique<cli::PendingFile>(temporary_);
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) throw failed(file_, errno);
  const std::string header = make_header(element, shape);
  missing_bytes_ = header.size() + Header{element, shape, 0}.data_bytes();
  try {
    require_room();
    write(std::as_bytes(std::span(header)));
  } catch (...) {
    close();
    throw;
  }
}

ArrayWriter::~ArrayWriter() { close(); }

void ArrayWriter::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void ArrayWriter::fail(const char* what) const {
  throw Error(Exit::machine, fmt::format("{} is '{}'; {}: {}", file_.argument, file_.path, what, std::strerror(errno)));
}

// Told at the start rather than by a full disk in the end.
void ArrayWriter::require_room() const {
  std::error_code unknown;  // leaves the largest number there is
  const auto space = std::filesystem::space(std::filesystem::path(temporary_), unknown);
  if (space.available >= missing_bytes_) return;
  throw Error(Exit::machine,
              fmt::format("{} is '{}'; there is no room for {} bytes", file_.argument, file_.path, missing_bytes_));
}

void ArrayWriter::write(std::span<const std::byte> elements) {
  missing_bytes_ -= elements.size();
  while (!elements.empty()) {
    const ::ssize_t written = ::write(descriptor_, elements.data(), elements.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("it could not be written");
    elements = elements.subspan(static_cast<std::size_t>(written));
  }
}

void ArrayWriter::commit() {
  if (missing_bytes_ != 0) throw std::logic_error("an array was committed before all of it was written");
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("it could not be written");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("it could not be renamed to");
  temporary_.clear();
  pending_.reset();
}

void require_distinct(std::span<const File> inputs, std::span<const File> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const File& input : inputs)
      if (same_file(outputs[i].path, input.path))
        throw bad(outputs[i], fmt::format("that is the input {}; it must be another file", input.argument));
    for (const File& other : outputs.first(i))
      if (same_file(outputs[i].path, other.path))
        throw bad(outputs[i], fmt::format("that is {} too; it must be another file", other.argument));
  }
}

}  // namespace tamis::npy
