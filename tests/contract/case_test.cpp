// Every case of the list on every machine. A test is named SENTENCE.MACHINE/CASE: `--gtest_list_tests` reads as the
// contract. Cases that only a GPU finishes in time are left to machines that are one.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <set>

#include "support/gpu_machines.hpp"

namespace tamis::testing {
namespace {

// The case prepared; kept until another is asked for, since machines follow one another.
const Prepared& prepared(const Case& c) {
  static std::unique_ptr<const Prepared> last;
  if (last == nullptr || &last->c != &c) last = std::make_unique<const Prepared>(prepare(c));
  return *last;
}

class CaseTest : public ::testing::Test {
 public:
  CaseTest(const Case& c, const Machine& machine) : case_(c), machine_(machine) {}
  void TestBody() override { EXPECT_EQ(run(prepared(case_), machine_), ""); }

 private:
  const Case& case_;
  const Machine& machine_;
};

bool runs_on(const Case& c, const Machine& machine) {
  if (!plan_on(c.shape, machine).ok()) return false;  // a method that is not for this shape
  switch (machine.device.backend) {
    case Backend::emulated:
      return c.size() == Size::emulator;
    case Backend::cpu:
      return c.size() != Size::gpu;
    default:
      return true;
  }
}

void register_cases(const std::vector<Machine>& list) {
  for (const Case& c : cases())
    for (const Machine& machine : list)
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

// --schedules=FIRST-LAST: not the machines of every day but the emulator under the schedules of these seeds, each
// width, each method.
int main(int argc, char** argv) {
  static std::vector<tamis::testing::Machine> scheduled;
  unsigned long long first = 0, last = 0;
  if (argc > 1 && std::sscanf(argv[1], "--schedules=%llu-%llu", &first, &last) == 2)
    scheduled = tamis::testing::scheduled_machines(first, last);
  tamis::testing::register_cases(scheduled.empty() ? tamis::testing::machines() : scheduled);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
