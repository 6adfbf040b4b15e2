// Host memory that runs out at any point of any call is TAMIS_OUT_OF_MEMORY, never an exception or an abort. The global
// operator new of this program fails at the allocation a test chooses.

#include <cstdlib>
#include <functional>
#include <new>

#include "c_fixture.hpp"

namespace {

constexpr long never = -1;
long allocations_left = never;

}  // namespace

// Not inline: g++ 12 warns where it sees only one of a pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tamis::test {
namespace {

class CMemory : public CApi {
 protected:
  // Runs `call` with its first, second, ... allocation failing, until it has as many as it wants. Returns how many
  // failures it met.
  int starve(const std::function<tamis_code()>& call) {
    for (int failures = 0;; ++failures) {
      error = TAMIS_ERROR_INIT;
      allocations_left = failures;
      const tamis_code code = call();
      allocations_left = never;
      if (code == TAMIS_OK) return failures;
      EXPECT_EQ(code, TAMIS_OUT_OF_MEMORY) << error.message;
      EXPECT_STREQ(error.message, "out of host memory");
    }
  }
};

TEST_F(CMemory, ThatRunsOutWhilePlanningIsReported) {
  tamis_plan* made = nullptr;
  EXPECT_GT(starve([&] { return tamis_plan_select(&shape, device, &made, &error); }), 0);
  EXPECT_EQ(tamis_plan_equal(made, plan), 1);
  tamis_plan_free(made);
}

TEST_F(CMemory, ThatRunsOutWhileMakingADeviceIsReported) {
  tamis_device* made = nullptr;
  EXPECT_GT(starve([&] { return tamis_device_cpu(1, &made, &error); }), 0);
  tamis_device_free(made);
}

TEST_F(CMemory, ThatRunsOutWhileMakingThreadsIsReported) {
  tamis_threads* made = nullptr;
  EXPECT_GT(starve([&] { return tamis_threads_create(3, &made, &error); }), 1);
  tamis_threads_free(made);
}

TEST_F(CMemory, ThatRunsOutWhileVerifyingIsReported) {
  tamis_report report = TAMIS_REPORT_INIT;
  ASSERT_EQ(select(), TAMIS_OK);
  EXPECT_GT(starve([&] { return tamis_verify(&shape, &rows, &output, &report, &error); }), 0);
  EXPECT_EQ(report.wrong_rows, 0) << report.message;
}

}  // namespace
}  // namespace tamis::test
