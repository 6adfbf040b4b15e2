// Every problem that the emulator is to report, planted and found: by what it says and by the line it names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "simt/collectives.hpp"
#include "simt/host.hpp"

namespace tamis::simt::host {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Narrow = Block<64, 32>;
using Pair = Block<64, 32, 2>;

struct Nothing {};

// A kernel whose body is a function object without state.
template <class Body>
struct Kernel {
  using Arguments = Nothing;

  template <class Block>
  static void run(Block block, const Arguments&) {
    Body{}(block);
  }
};

struct Shared {
  std::uint32_t cell[16];
};

// What the emulator says of `body` on two warps of 32 lanes.
template <class Block = Narrow, class Body>
std::string problem_of(Body, const Grid& grid = {.blocks = Block::cluster_size, .shared_bytes = sizeof(Shared)},
                       const Schedule& schedule = {}) {
  return launch<Kernel<Body>, Block>(grid, {}, schedule).problem;
}

std::string here(int line) { return "tests/emulator/problem_test.cpp:" + std::to_string(line); }

TEST(Emulator, RunsASoundKernelWithoutAProblem) {
  EXPECT_EQ(problem_of([](auto block) { block.sync(); }), "");
}

TEST(Emulator, ReportsASyncThatNotAllThreadsReach) {
  const std::string problem = problem_of([](auto block) {
    if (block.rank() < 40) block.sync();
  });
  EXPECT_THAT(problem, AllOf(HasSubstr("returned"), HasSubstr("sync at " + here(__LINE__ - 2))));
}

TEST(Emulator, ReportsADeadlockWithTheThreadsAndLinesThatWait) {
  const std::string problem = problem_of([](auto block) {
    if (block.warp() == 0) block.sync_group(1, 64);
    if (block.warp() == 1) block.sync_group(2, 64);
  });
  EXPECT_THAT(problem,
              AllOf(HasSubstr("deadlock"), HasSubstr("threads 0 to 31 wait in sync_group at " + here(__LINE__ - 4)),
                    HasSubstr("threads 32 to 63 wait in sync_group at " + here(__LINE__ - 4))));
}

TEST(Emulator, ReportsASyncInABranchThatNotAllThreadsTake) {
  const std::string problem = problem_of([](auto block) {
    if (block.rank() < 40) {
      block.sync();
    } else {
      block.sync();
    }
  });
  EXPECT_THAT(problem, AllOf(HasSubstr("branch that not all threads take"), HasSubstr(here(__LINE__ - 5)),
                             HasSubstr(here(__LINE__ - 4))));
}

TEST(Emulator, ReportsAnExchangeInABranchThatNotAllLanesTake) {
  const std::string problem = problem_of([](auto block) {
    if (block.lane() < 16) {
      block.shuffle(1, 0);
    } else {
      block.ballot(true);
    }
  });
  EXPECT_THAT(problem, AllOf(HasSubstr("branch that not all lanes take"), HasSubstr("shuffle"), HasSubstr("ballot")));
}

TEST(Emulator, ReportsABallotThatWaitsForLanesThatNeverCall) {
  const std::string problem = problem_of([](auto block) {
    if (block.lane() < 16) block.ballot(true);
    block.sync();
  });
  EXPECT_THAT(problem, AllOf(HasSubstr("deadlock"), HasSubstr("threads 0 to 15 wait in ballot with lanes 0xffffffff"),
                             HasSubstr("threads 16 to 31 wait in sync")));
}

TEST(Emulator, ReportsAMaskWithoutTheCaller) {
  EXPECT_THAT(problem_of([](auto block) { block.ballot(0xffu, true); }), HasSubstr("must name the caller"));
}

TEST(Emulator, ReportsAMaskThatDiffersBetweenItsLanes) {
  const std::string problem = problem_of([](auto block) { block.ballot(block.lane() == 0 ? 1u : ~0u, true); });
  EXPECT_THAT(problem, HasSubstr("returned while lanes 0xffffffff of its warp need it in ballot"));
}

TEST(Emulator, ReportsAThreadThatReturnsWhileItsWarpNeedsIt) {
  const std::string problem = problem_of([](auto block) {
    if (block.lane() != 31) block.any(true);
  });
  EXPECT_THAT(problem, AllOf(HasSubstr("returned"), HasSubstr("any at " + here(__LINE__ - 2))));
}

TEST(Emulator, ReportsAnAtomicOnSharedMemoryThatWasNeverWritten) {
  const std::string problem = problem_of([](auto block) { block.fetch_add(shared<Shared>(block).cell[3], 1u); });
  EXPECT_THAT(problem, AllOf(HasSubstr("byte 12 of shared memory was never written"), HasSubstr(here(__LINE__ - 1))));
}

TEST(Emulator, ReportsMoreSharedMemoryThanTheLaunchHas) {
  const std::string problem = problem_of([](auto block) { shared<Shared>(block).cell[0] = 1; }, {.shared_bytes = 63});
  EXPECT_THAT(problem, HasSubstr("asks for 64 bytes; the launch has 63"));
}

TEST(Emulator, ReportsAGlobalWordOnSharedMemoryAndTheReverse) {
  EXPECT_THAT(problem_of([](auto block) { block.global_fetch_add(shared<Shared>(block).cell[0], 1u); }),
              HasSubstr("the word is for global memory"));
  EXPECT_THAT(problem_of([](auto block) {
                static std::uint32_t global = 0;
                block.fetch_add(global, 1u);
              }),
              HasSubstr("not in the block's shared memory"));
}

// With AddressSanitizer the write itself is reported, by that.
#if !defined(__SANITIZE_ADDRESS__)
TEST(Emulator, ReportsWritesBeyondSharedMemory) {
  const std::string problem = problem_of(
      [](auto block) {
        if (block.rank() % 63 == 0) tail<Shared, std::uint32_t>(block)[block.rank() / 63] = 1;
      },
      {.blocks = 1, .shared_bytes = sizeof(Shared) + 4});
  EXPECT_THAT(problem, HasSubstr("wrote outside its shared memory: at byte 68 of 68"));
}
#endif

TEST(Emulator, EnforcesTheLimitOfSharedMemory) {
  EXPECT_THAT(problem_of([](auto) {}, {.blocks = 1, .shared_bytes = 65537}), HasSubstr("the device has 65536"));
}

TEST(Emulator, RefusesAGridThatNoDeviceRuns) {
  EXPECT_THAT(problem_of<Pair>([](auto) {}, {.blocks = 3}), HasSubstr("multiple of grid.cluster"));
}

TEST(Emulator, ReportsALoadThatIsNotAligned) {
  alignas(16) static const std::uint32_t data[8] = {};
  const std::string problem =
      problem_of([](auto block) { block.load(reinterpret_cast<const Pack<std::uint32_t, 4>*>(data + 1)); });
  EXPECT_THAT(problem, HasSubstr("must be a multiple of 16"));
}

TEST(Emulator, ReportsALoadBeforeTheWaitForThePreviousKernel) {
  static const std::uint32_t data = 0;
  const std::string problem = problem_of([](auto block) {
    block.load(&data);
    block.wait_for_previous_kernel();
  });
  EXPECT_THAT(problem, AllOf(HasSubstr("read before it"), HasSubstr(here(__LINE__ - 3))));
}

TEST(Emulator, ReportsRemoteAccessBeforeTheClusterMet) {
  const std::string problem = problem_of<Pair>([](auto block) {
    block.remote(shared<Shared>(block).cell[0], 1).store(1);
    block.cluster_sync();
  });
  EXPECT_THAT(problem, HasSubstr("before the first cluster_sync"));
}

TEST(Emulator, ReportsRemoteAccessToABlockThatHasReturned) {
  const std::string problem = problem_of<Pair>(
      [](auto block) {
        block.cluster_sync();
        if (block.cluster_rank() == 1) block.remote(shared<Shared>(block).cell[0], 0).store(1);
        if (block.cluster_rank() == 1) block.sync();
      },
      {.blocks = 2, .shared_bytes = sizeof(Shared)}, {.seed = 5});
  EXPECT_THAT(problem, HasSubstr("may have returned"));
}

TEST(Emulator, ReportsABarrierThatWasNeverInitialised) {
  struct WithBarrier {
    TransactionBarrier barrier;
  };
  const std::string problem = problem_of([](auto block) { shared<WithBarrier>(block).barrier.wait(0); });
  EXPECT_THAT(problem, HasSubstr("never initialised"));
}

TEST(Emulator, ReportsBytesThatNeverCome) {
  struct WithBarrier {
    TransactionBarrier barrier;
  };
  const std::string problem = problem_of([](auto block) {
    auto& barrier = shared<WithBarrier>(block).barrier;
    if (block.rank() == 0) barrier.init(1);
    block.sync();
    if (block.rank() == 0) barrier.expect(16);
    barrier.wait(0);
  });
  EXPECT_THAT(problem,
              AllOf(HasSubstr("deadlock"), HasSubstr("threads 0 to 63 wait in wait at " + here(__LINE__ - 3))));
}

TEST(Emulator, EndsALaunchThatWaitsForABlockThatIsNotResident) {
  [[maybe_unused]] static std::uint32_t flag = 0;
  const std::string problem = problem_of(
      [](auto block) {
        if (block.grid_rank() == 1) block.global_exchange(flag, 1u);
        while (block.global_load(flag) == 0) {
        }
      },
      {.blocks = 2}, {.pause_every = 1 << 20});
  EXPECT_THAT(problem, HasSubstr("no end in sight"));
}

TEST(Emulator, RepeatsAScheduleExactly) {
  const auto switches = [](std::uint64_t seed) {
    const auto body = [](auto block) {
      for (int i = 0; i < 20; ++i) block.scan_add(i);
    };
    return launch<Kernel<decltype(body)>, Narrow>({.blocks = 4}, {}, schedule_of(seed)).switches;
  };
  for (std::uint64_t seed = 1; seed < 10; ++seed) EXPECT_EQ(switches(seed), switches(seed));
}

TEST(Emulator, StartsBlocksInTheOrderOfTheSchedule) {
  static struct {
    std::string order;
    std::uint32_t count;
  } started;
  const auto run_in = [](Blocks blocks) {
    started = {std::string(5, ' '), 0};
    problem_of(
        [](auto block) {
          if (block.rank() != 0) return;
          started.order[block.global_arrive(started.count, 1)] = static_cast<char>('0' + block.grid_rank());
        },
        {.blocks = 5}, {.seed = blocks == Blocks::forward ? 0u : 3u, .blocks = blocks});
    return started.order;
  };
  EXPECT_EQ(run_in(Blocks::forward), "01234");
  EXPECT_EQ(run_in(Blocks::reverse), "43210");
  EXPECT_NE(run_in(Blocks::shuffled), "01234");
}

}  // namespace
}  // namespace tamis::simt::host
