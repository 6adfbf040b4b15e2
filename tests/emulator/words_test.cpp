// Every word of the vocabulary on the emulator, for both widths of a warp, under many schedules.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simt/host.hpp"
#include "words_block.hpp"
#include "words_cluster.hpp"
#include "words_warp.hpp"

namespace tamis::words {
namespace {

constexpr int seeds = 20;

template <class Case, class Block>
void expect_words(const simt::host::Schedule& schedule) {
  std::vector<simt::Pack<std::uint32_t, 8>> in(inputs / 8);
  for (int i = 0; i < inputs; ++i) in[i / 8][i % 8] = number(static_cast<std::uint32_t>(i));
  std::vector<std::uint64_t> scratch(scratch_cells / 2);
  std::vector<std::uint32_t> out(static_cast<std::size_t>(blocks) * Block::size * Case::outputs);
  const Arguments arguments{in[0].item, out.data(), reinterpret_cast<std::uint32_t*>(scratch.data())};
  const auto report =
      simt::host::launch<Say<Case>, Block>({.blocks = blocks, .shared_bytes = 60000}, arguments, schedule);
  ASSERT_EQ(report.problem, "") << "seed " << schedule.seed;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int thread = static_cast<int>(i) / Case::outputs;
    const Who who{Block::size, Block::lanes, Block::cluster_size, thread / Block::size, thread % Block::size};
    ASSERT_EQ(out[i], Case::expected(who, static_cast<int>(i) % Case::outputs))
        << "seed " << schedule.seed << ", block " << who.block << ", thread " << who.rank << ", output "
        << i % Case::outputs;
  }
}

template <class Case>
class Words : public testing::Test {
 protected:
  template <class Block>
  void expect_under_all_schedules() {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      expect_words<Case, Block>(simt::host::schedule_of(seed));
      if (HasFatalFailure()) return;
    }
  }
};

struct CaseName {
  template <class Case>
  static std::string GetName(int) {
    return Case::name;
  }
};

using Cases =
    testing::Types<WhoAmI, Ballot, BallotOfSome, AnyAll, Shuffle, WarpFolds, Sync, SyncVotes, SyncWarp, Groups, Atomics,
                   LastArriver, GlobalAtomics, Loads, BlockFolds, RemoteMemory, Copies, Messages>;
TYPED_TEST_SUITE(Words, Cases, CaseName);

TYPED_TEST(Words, MeanTheSameWith32Lanes) { this->template expect_under_all_schedules<simt::host::Block<128, 32>>(); }
TYPED_TEST(Words, MeanTheSameWith64Lanes) { this->template expect_under_all_schedules<simt::host::Block<256, 64>>(); }
TYPED_TEST(Words, MeanTheSameInAClusterWith32Lanes) {
  this->template expect_under_all_schedules<simt::host::Block<64, 32, 4>>();
}
TYPED_TEST(Words, MeanTheSameInAClusterWith64Lanes) {
  this->template expect_under_all_schedules<simt::host::Block<128, 64, 2>>();
}

}  // namespace
}  // namespace tamis::words
