// The read floor of `tamis bench` reads every byte once: were one left out, the fold of the bytes would differ.

#include "fold.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "workload/row.hpp"

namespace tamis::cli {
namespace {

TEST(ReadFloor, ReadsEveryByteAtEverySize) {
  const workload::Row random(1, 0, 2000);
  std::vector<std::byte> bytes;
  std::uint64_t expected = 0;
  for (std::size_t size = 0; size < 2000; ++size) {
    ASSERT_EQ(expected, folded(bytes)) << size;
    bytes.push_back(static_cast<std::byte>(random.bits(static_cast<std::int64_t>(size)) | 1));
    expected ^= static_cast<std::uint64_t>(bytes.back()) << 8 * (size % 8);
  }
}

}  // namespace
}  // namespace tamis::cli
