// select and merge allocate nothing: every operator new of this program is counted.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "tamis/tamis.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Not inline: g++ 12 warns where it sees only one of a pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return counted(bytes); }
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return counted(bytes); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace tamis::testing {
namespace {

TEST(Select, AllocatesNothing) {
  for (std::int64_t width : {100, 5000, 300000})
    for (std::int32_t threads : {1, 3}) {
      const Shape shape{.rows = 3, .width = width, .k = 200, .order = Order::by_score};
      const Plan made = plan(shape, cpu_device(threads)).value;
      std::vector<float> scores(3 * width, 1.0f);
      std::vector<std::int32_t> indices(3 * 200);
      std::vector<std::byte> workspace(made.workspace_bytes());
      Threads pool(threads);
      const long before = allocations;
      const Status status = select(made, {.scores = scores.data(), .stride = width}, {.indices = indices.data()},
                                   {workspace.data(), workspace.size()}, Stream(pool));
      EXPECT_EQ(allocations - before, 0) << width << " wide, " << threads << " threads";
      EXPECT_TRUE(status.ok()) << status.message;
    }
}

TEST(Merge, AllocatesNothing) {
  const Plan made = plan(MergeShape{.rows = 2, .lists = 8, .capacity = 500, .k = 500}, cpu_device()).value;
  std::vector<float> scores(2 * 8 * 500, 1.0f);
  std::vector<std::int32_t> positions(2 * 8 * 500), indices(2 * 500);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<std::int32_t>(i);
  std::vector<std::byte> workspace(made.workspace_bytes());
  const long before = allocations;
  const Status status = merge(made, {.scores = scores.data(), .positions = positions.data()},
                              {.indices = indices.data()}, {workspace.data(), workspace.size()});
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(status.ok()) << status.message;
}

// The counter counts, or the tests above show nothing.
TEST(TheCounter, SeesAVector) {
  const long before = allocations;
  const std::vector<int> numbers(1000, 1);
  EXPECT_GT(allocations - before, 0) << numbers[0];
}

}  // namespace
}  // namespace tamis::testing
