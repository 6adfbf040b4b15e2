// See memory.hpp.

#include "memory.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <string>

#include "error.hpp"

namespace tamis::cli {
namespace {

std::string gigabytes(double bytes) { return fmt::format("{:.1f} GB", bytes / 1e9); }

}  // namespace

std::int64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::int64_t kibibytes = 0;
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  return std::numeric_limits<std::int64_t>::max();
}

void require_memory(std::int64_t rows, std::int64_t row_bytes, std::string_view what) {
  const double needed = static_cast<double>(rows) * static_cast<double>(row_bytes);
  const auto available = static_cast<double>(available_memory());
  if (needed <= available) return;
  throw Error(Exit::usage, fmt::format("{} take {} of memory; it must be at most the {} available", what,
                                       gigabytes(needed), gigabytes(available)));
}

}  // namespace tamis::cli
