// See buffers.hpp. Buffers live as long as the program: a repetition reads what the one before it read.

#include "buffers.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <new>
#include <stdexcept>

#include "tamis/workload.hpp"

namespace tamis::bench {
namespace {

constexpr std::align_val_t line{64};

struct Release {
  void operator()(void* data) const { operator delete(data, line); }
};
using Buffer = std::unique_ptr<void, Release>;

Buffer generated(const Cell& cell) {
  Buffer buffer(operator new(cell.rows* cell.length* score_bytes(cell.scores), line));
  const Status status = workload::generate(
      cell.pattern, 1,
      {.scores = buffer.get(), .type = cell.scores, .rows = cell.rows, .width = cell.length, .stride = cell.length});
  if (!status.ok()) throw std::runtime_error(status.message);
  return buffer;
}

}  // namespace

const void* scores_of(const Cell& cell) {
  static std::map<std::string, Buffer> buffers;
  Buffer& buffer = buffers[fmt::format("{} {} {} {}", cell.pattern, cell.rows, cell.length, name(cell.scores))];
  if (buffer == nullptr) buffer = generated(cell);
  return buffer.get();
}

}  // namespace tamis::bench
