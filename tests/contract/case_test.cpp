// Every case of the list on every machine. A test is named SENTENCE.MACHINE/CASE: `--gtest_list_tests` reads as the
// contract. Cases that only a GPU finishes in time are left to machines that are one.

#include <gtest/gtest.h>

#include <set>

#include "support/runner.hpp"

namespace tamis::testing {
namespace {

class CaseTest : public ::testing::Test {
 public:
  CaseTest(const Case& c, const Machine& machine) : case_(c), machine_(machine) {}
  void TestBody() override { EXPECT_EQ(run(case_, machine_), ""); }

 private:
  const Case& case_;
  const Machine& machine_;
};

bool runs_on(const Case& c, const Machine& machine) {
  switch (machine.device.backend) {
    case Backend::emulated:
      return c.size() == Size::emulator;
    case Backend::cpu:
      return c.size() != Size::gpu;
    default:
      return true;
  }
}

void register_cases() {
  for (const Case& c : cases())
    for (const Machine& machine : machines())
      if (runs_on(c, machine))
        ::testing::RegisterTest(c.sentence.c_str(), (machine.name + "/" + c.name).c_str(), nullptr, nullptr, __FILE__,
                                __LINE__, [&c, &machine]() -> CaseTest* { return new CaseTest(c, machine); });
}

TEST(TheCaseList, NamesEachCaseOnce) {
  std::set<std::string> names;
  for (const Case& c : cases())
    EXPECT_TRUE(names.insert(c.sentence + "." + c.name).second) << c.sentence << "." << c.name;
}

}  // namespace
}  // namespace tamis::testing

int main(int argc, char** argv) {
  tamis::testing::register_cases();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
