// Under ThreadSanitizer, where every GPU thread is a thread of its own: a planted race and a barrier taken out are
// reported whatever the schedule. That sound kernels are not is what the other tests show in the same build.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "simt/host.hpp"

namespace {

std::atomic<int> reports = 0;

}  // namespace

extern "C" void __tsan_on_report(void*) { ++reports; }
extern "C" const char* __tsan_default_options() {
  return "exitcode=0:suppress_equal_stacks=0:suppress_equal_addresses=0";
}

namespace tamis::simt::host {
namespace {

constexpr std::uint64_t seeds = 6;
constexpr int many = 64;

struct Arguments {
  std::uint32_t* global;
};

struct Shared {
  CopyBarrier barrier;
  alignas(16) std::uint32_t cell[256];
};

template <class Body>
struct Kernel {
  using Arguments = host::Arguments;

  template <class Block>
  static void run(Block block, const Arguments& arguments) {
    Body{}(block, shared<Shared>(block), arguments.global);
  }
};

template <class Block, class Body>
int races_under(const Schedule& schedule) {
  alignas(16) std::uint32_t global[many] = {};
  const int before = reports;
  const Report report = launch<Kernel<Body>, Block>({.blocks = 4, .shared_bytes = sizeof(Shared)}, {global}, schedule);
  EXPECT_EQ(report.problem, "");
  return reports - before;
}

// The races reported in `body`. One place is reported once, so it is for the first schedule to find it; the seed
// chooses it.
template <class Block = host::Block<64, 32>, class Body>
int races_in(Body, std::uint64_t seed = 0) {
  return races_under<Block, Body>(schedule_of(seed));
}

TEST(Race, IsReportedBetweenWarpsWithoutASync) {
  EXPECT_GT(races_in([](auto block, Shared& shared, std::uint32_t*) {
              shared.cell[block.rank()] = 1;
              shared.cell[block.rank() ^ 32] = 2;
            }),
            0);
}

TEST(Race, IsReportedBetweenLanesOrderedByAnExchangeAlone) {
  EXPECT_GT(races_in([](auto block, Shared& shared, std::uint32_t*) {
              shared.cell[block.rank()] = 1;
              block.ballot(true);
              shared.cell[block.rank() ^ 1] = 2;
            }),
            0);
}

TEST(Race, IsReportedBetweenBlocksThatAreNeverInFlightTogether) {
  EXPECT_GT(races_in([](auto block, Shared&, std::uint32_t* global) {
              if (block.rank() == 0) global[0] = static_cast<std::uint32_t>(block.grid_rank());
            }),
            0);
}

TEST(Race, IsReportedWhereAnArrivalPublishesNothing) {
  EXPECT_GT(races_in([](auto block, Shared&, std::uint32_t* global) {
              if (block.rank() != 0) return;
              global[1 + block.grid_rank()] = 1;
              if (block.global_fetch_add(global[0], 1u) % 4 == 3)
                global[1] = global[1] + global[2] + global[3] + global[4];
            }),
            0);
}

TEST(Race, IsNotReportedWhereAnArrivalPublishes) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_EQ(races_in(
                  [](auto block, Shared&, std::uint32_t* global) {
                    if (block.rank() != 0) return;
                    global[1 + block.grid_rank()] = 1;
                    if (block.global_arrive(global[0], 1u) % 4 == 3)
                      global[1] = global[1] + global[2] + global[3] + global[4];
                  },
                  seed),
              0);
  }
}

TEST(Race, IsReportedBetweenBlocksOfAClusterThatDoNotMeet) {
  EXPECT_GT((races_in<host::Block<64, 32, 2>>([](auto block, Shared& shared, std::uint32_t*) {
              block.cluster_sync();
              block.remote(shared.cell[block.rank()], 1 - block.cluster_rank()).store(1u);
              shared.cell[block.rank()] = 2;
              block.cluster_sync();
            })),
            0);
}

TEST(Race, IsReportedBetweenACopyAndReadersThatDoNotWait) {
  EXPECT_GT(races_in([](auto block, Shared& shared, std::uint32_t* global) {
              shared.barrier.init(block);
              shared.barrier.start(block, shared.cell, global, 256);
              shared.cell[128 + block.rank()] = shared.cell[block.rank()];
              shared.barrier.wait(block, 0);
            }),
            0);
}

TEST(Race, IsReportedBetweenACopyAndReadersItDidNotWaitFor) {
  EXPECT_GT(races_in([](auto block, Shared& shared, std::uint32_t* global) {
              shared.barrier.init(block);
              shared.cell[128 + block.rank()] = shared.cell[block.rank()];
              shared.barrier.start(block, shared.cell, global, 256);
              shared.barrier.wait(block, 0);
            }),
            0);
}

TEST(Race, IsNotReportedWhereACopyIsWaitedFor) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_EQ(races_in(
                  [](auto block, Shared& shared, std::uint32_t* global) {
                    shared.barrier.init(block);
                    for (std::uint32_t i = 0; i < 4; ++i) {
                      shared.barrier.start(block, shared.cell, global + 16 * i % many, 64);
                      shared.barrier.wait(block, i % 2);
                      if (block.rank() < 16) shared.cell[128 + block.rank()] = shared.cell[15 - block.rank()];
                      block.sync();
                    }
                  },
                  seed),
              0);
  }
}

// A barrier of each kind is taken out in turn.
struct Exchanges {
  template <class Block>
  void operator()(Block block, Shared& shared, std::uint32_t*) const {
    shared.cell[block.rank()] = 1;
    block.sync();
    const std::uint32_t other = shared.cell[block.rank() ^ 33];
    block.sync();
    shared.cell[block.rank()] = other;
    block.sync_warp();
    shared.cell[128 + block.rank()] = shared.cell[block.rank() ^ 1];
  }
};

TEST(Race, IsReportedForEachBarrierThatIsTakenOut) {
  using Block = host::Block<64, 32>;
  ASSERT_EQ((races_under<Block, Exchanges>(schedule_of(0))), 0);
  int mutants = 0;
  for (const BarrierSite& site : barrier_sites()) {
    if (site.file.find("race_test") == std::string::npos) continue;
    skip_barrier(&site);
    const int races = races_under<Block, Exchanges>(schedule_of(0));
    skip_barrier(nullptr);
    const bool here = site.word == "sync" || site.word == "sync_warp";
    mutants += here && races > 0;
  }
  EXPECT_EQ(mutants, 3);
}

}  // namespace
}  // namespace tamis::simt::host
