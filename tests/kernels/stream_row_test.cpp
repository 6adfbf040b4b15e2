// The streaming method under the emulator, judged by verify: every score pattern and type, blocks alone and in
// clusters, rows of mixed length and alignment, more rows than are planned at once, bounds that let too much or too
// little through.

#include "kernels/stream_row.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "simt/host.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

// One call: rows of `width` columns, `lead` scores behind an aligned address, with every output asked for.
class Trial {
 public:
  Trial(const Shape& shape, std::string_view pattern, int lead, unsigned seed) : shape_(shape) {
    const std::int64_t stride = shape.width + lead;
    scores_.resize(shape.rows * stride + 8);
    auto* first = reinterpret_cast<std::byte*>(scores_.data()) + lead * score_bytes(shape.scores);
    EXPECT_TRUE(workload::generate(pattern, seed, {first, shape.scores, shape.rows, shape.width, stride}).ok());
    const std::int64_t columns = (shape.width + 63) / 64;
    lengths_.assign(shape.rows, static_cast<std::int32_t>(shape.width));
    pages_.resize(shape.rows * columns);
    std::iota(pages_.rbegin(), pages_.rend(), 0);
    const auto entries = static_cast<std::size_t>(shape.rows * shape.k);
    indices_.assign(entries, 0x7f7f7f7f);
    slots_ = indices_;
    selected_.resize(entries);
    counts_.resize(shape.rows);
    rows_ = {first, stride, lengths_.data()};
    output_ = {
        .indices = indices_.data(), .slots = slots_.data(), .scores = selected_.data(), .counts = counts_.data()};
    output_.mapping = Mapping::paged;
    output_.page_table = {pages_.data(), shape.rows, columns, columns, 64};
  }

  void mix_lengths(unsigned seed) {
    std::mt19937 random(seed);
    for (std::int32_t& length : lengths_) length = static_cast<std::int32_t>(random() % (shape_.width + 1));
    lengths_.back() = -1;
  }

  // Raises `count` runs of `length` scores of each row above all others, where `seed` has them.
  void favour_runs(int count, int length, unsigned seed) {
    std::mt19937 random(seed);
    for (std::int64_t row = 0; row < shape_.rows; ++row)
      for (int run = 0; run < count; ++run) {
        const auto first = static_cast<std::int64_t>(random() % (shape_.width - length));
        auto* scores = reinterpret_cast<float*>(scores_.data()) + row * rows_.stride + first;
        for (int i = 0; i < length; ++i) scores[i] = 100.0f + static_cast<float>(random() % 1000);
      }
  }

  // Slots alone, the shortest way out of the kernel.
  void ask_for_slots() { output_.indices = nullptr, output_.scores = nullptr, output_.counts = nullptr; }

  template <class Kernel, class Block>
  void run(int blocks, unsigned seed) {
    kernels::Arguments arguments{};
    arguments.shape = shape_;
    arguments.rows = rows_;
    arguments.output = output_;
    for (std::int64_t* stride :
         {&arguments.output.indices_stride, &arguments.output.slots_stride, &arguments.output.scores_stride})
      *stride = shape_.k;
    const simt::host::Grid grid{
        .blocks = blocks, .shared_bytes = sizeof(typename Kernel::template Shared<Block>), .shared_limit = 232448};
    const simt::host::Report report = simt::host::launch<Kernel, Block>(grid, arguments, simt::host::schedule_of(seed));
    ASSERT_EQ(report.problem, "");
    const Result<Report> judged = verify(shape_, rows_, output_);
    ASSERT_TRUE(judged.ok()) << judged.status.message;
    EXPECT_TRUE(judged.value.exact()) << judged.value.message;
  }

 private:
  Shape shape_;
  std::vector<std::uint32_t> scores_, selected_;
  std::vector<std::int32_t> lengths_, pages_, indices_, slots_, counts_;
  Rows rows_;
  Output output_;
};

using Alone = simt::host::Block<256, 32>;
using Paired = simt::host::Block<512, 32, 2>;

template <ScoreType type>
using Small = kernels::StreamRow<type, 64, 2, 1024, 2>;

TEST(stream_row, every_pattern_is_selected_exactly) {
  for (const workload::Pattern& pattern : workload::patterns()) {
    SCOPED_TRACE(pattern.name);
    Trial alone({.rows = 2, .width = 6001, .k = 300}, pattern.name, 0, 1);
    alone.run<Small<ScoreType::f32>, Alone>(1, 1);
    Trial paired({.rows = 3, .width = 9000, .k = 500}, pattern.name, 1, 2);
    paired.ask_for_slots();
    paired.run<Small<ScoreType::f32>, Paired>(2, 2);
  }
}

TEST(stream_row, every_score_type_is_selected_exactly) {
  for (const char* pattern : {"normal", "relu"}) {
    SCOPED_TRACE(pattern);
    Trial half({.rows = 2, .width = 8003, .k = 300, .scores = ScoreType::f16}, pattern, 3, 3);
    half.run<Small<ScoreType::f16>, Alone>(1, 3);
    Trial brain({.rows = 2, .width = 8003, .k = 300, .scores = ScoreType::bf16}, pattern, 5, 4);
    brain.run<Small<ScoreType::bf16>, Alone>(1, 4);
  }
}

TEST(stream_row, rows_of_any_length_and_more_than_are_planned_at_once) {
  Trial trial({.rows = 75, .width = 4500, .k = 100}, "normal", 2, 5);
  trial.mix_lengths(5);
  trial.run<Small<ScoreType::f32>, Alone>(2, 5);
}

TEST(stream_row, a_full_list_is_compacted_and_the_row_is_read_on) {
  using Narrow = kernels::StreamRow<ScoreType::f32, 64, 2, 640, 2>;  // about 760 scores reach the bound
  for (const char* pattern : {"normal", "sorted", "levels"}) {
    SCOPED_TRACE(pattern);
    Trial trial({.rows = 2, .width = 40000, .k = 380}, pattern, 0, 7);
    trial.run<Narrow, Alone>(1, 7);
  }
}

// A sample that meets two of four favoured runs promises more good scores than there are.
TEST(stream_row, a_row_that_its_sample_misled_is_read_once_more) {
  Trial trial({.rows = 16, .width = 40000, .k = 300}, "normal", 0, 8);
  trial.favour_runs(4, 64, 8);
  trial.run<Small<ScoreType::f32>, Alone>(2, 8);
  Trial paired({.rows = 16, .width = 40000, .k = 300}, "normal", 0, 9);
  paired.favour_runs(4, 64, 9);
  paired.run<Small<ScoreType::f32>, Paired>(4, 9);
}

TEST(stream_row, a_selection_too_large_to_list_takes_the_plain_way) {
  Trial trial({.rows = 1, .width = 9000, .k = 3000}, "normal", 0, 6);
  trial.run<Small<ScoreType::f32>, Alone>(1, 6);
}

}  // namespace
}  // namespace tamis::testing
