// How structs of one version are read by a library of another: the struct `Newer` stands for what `Older` becomes.

#include "api/sized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tamis::detail {
namespace {

struct Older {
  std::size_t size = sizeof(Older);
  std::int64_t kept = 1;
};
struct Newer {
  std::size_t size = sizeof(Newer);
  std::int64_t kept = 1;
  std::int64_t added = 7;
};
constexpr std::size_t first = sizeof(Older);

TEST(Sized, AFieldThatAnOlderCallerLacksKeepsItsDefault) {
  const Older caller{.kept = 5};
  Newer known;
  ASSERT_TRUE(read_sized("shape", reinterpret_cast<const Newer*>(&caller), first, known).ok());
  EXPECT_EQ(known.kept, 5);
  EXPECT_EQ(known.added, 7);
}

TEST(Sized, ANewerCallersUnknownRestIsAcceptedWhileZero) {
  const Newer caller{.kept = 5, .added = 0};
  Older known;
  ASSERT_TRUE(read_sized("shape", reinterpret_cast<const Older*>(&caller), first, known).ok());
  EXPECT_EQ(known.kept, 5);
}

TEST(Sized, ANewerCallersUnknownRestIsRefusedWhenSet) {
  const Newer caller{.kept = 5, .added = 1};
  Older known;
  const Status status = read_sized("shape", reinterpret_cast<const Older*>(&caller), first, known);
  EXPECT_EQ(status.code, Code::invalid_argument);
  EXPECT_THAT(status.message, testing::HasSubstr("shape has byte 16 set"));
  EXPECT_EQ(known.kept, 1);
}

}  // namespace
}  // namespace tamis::detail
