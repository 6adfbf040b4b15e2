// Differential fuzzing of select: bytes become a shape, options, windows, a page table and scores; the runner holds the
// outputs against the oracle and verify, and watches every array's surroundings.

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "fuzz/bytes.hpp"
#include "support/runner.hpp"

namespace tamis::testing {
namespace {

std::int32_t any_length(Bytes& bytes, std::int64_t width) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                         most = std::numeric_limits<std::int32_t>::max();
  const auto edge = static_cast<std::int32_t>(width);
  const auto inside = static_cast<std::int32_t>(bytes.within(0, width));
  return bytes.one_of<std::int32_t>({inside, inside, inside, edge, edge + 1, 0, -1, least, most});
}

template <class Draw>
std::vector<std::int32_t> numbers(std::int64_t count, Draw draw) {
  std::vector<std::int32_t> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(draw());
  return result;
}

Case any_case(Bytes& bytes) {
  Case c;
  const auto size = bytes.one_of<std::int64_t>({10, 80, 600, 5000});
  c.shape.rows = bytes.within(1, size > 600 ? 2 : 6);
  c.shape.width = bytes.within(0, size);
  c.shape.k = bytes.within(1, size + 5);
  c.shape.scores = bytes.one_of({ScoreType::f32, ScoreType::f16, ScoreType::bf16});
  c.shape.length_rule = {bytes.one_of({1, 1, 2, 5}), bytes.one_of({1, 1, 2, 4})};
  c.shape.ties = bytes.one_of({Ties::lowest_index, Ties::lowest_index, Ties::any});
  c.shape.order = bytes.one_of({Order::any, Order::by_index, Order::by_score});
  c.shape.nan = bytes.one_of({Nan::lowest, Nan::highest});
  c.stride_slack = bytes.within(0, 9);
  c.misalignment = bytes.within(0, 17);
  c.outputs = static_cast<unsigned>(bytes.within(1, 15)) | wanted::faults;
  c.output_slack = bytes.within(0, 3);
  c.mapping = bytes.one_of({Mapping::none, Mapping::paged, Mapping::ragged});
  c.slot_type = bytes.one_of({SlotType::i32, SlotType::i64});
  return c;
}

void draw_windows(Bytes& bytes, const Case& c, Inputs& in) {
  const std::int64_t next_n = c.shape.length_rule.next_n, requests = (c.shape.rows + next_n - 1) / next_n;
  if (bytes.within(0, 3) > 0) in.lengths = numbers(requests, [&] { return any_length(bytes, c.shape.width); });
  if (bytes.within(0, 2) == 0) in.starts = numbers(c.shape.rows, [&] { return any_length(bytes, c.shape.width); });
}

void draw_table(Bytes& bytes, const Case& c, Inputs& in) {
  in.table = {.tables = bytes.within(0, 8),
              .columns = bytes.within(0, 40),
              .page_size = static_cast<std::int32_t>(bytes.within(1, 70))};
  in.table.stride = bytes.one_of<std::int64_t>({in.table.columns, in.table.columns + 3, 0});
  const auto page = [&] {
    return bytes.one_of<std::int32_t>({bytes.number<std::uint8_t>(), bytes.number<std::int32_t>(), -1});
  };
  in.entries = numbers(in.table.tables * (in.table.columns + 3) + 1, page);
  const auto row = [&] { return static_cast<std::int32_t>(bytes.within(-1, 9)); };
  const auto how = bytes.within(0, 2);
  if (how == 1) in.table_of_row = numbers(c.shape.rows, row);
  if (how == 2) {
    std::int32_t sum = row();
    in.cu_rows = numbers(in.table.tables + 1, [&] { return sum += static_cast<std::int32_t>(bytes.within(0, 2)); });
  }
  if (bytes.within(0, 1) == 1) in.page_start = numbers(c.shape.rows, [&] { return any_length(bytes, 300); });
}

// Half of the inputs draw scores from a few values, so that most are tied.
void draw_scores(Bytes& bytes, const Case& c, Inputs& in) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float few[] = {0.0f, -0.0f, 1.0f, -1.0f, infinity, -infinity, nan, -nan, 1.0078125f, 3e-41f};
  in.stride = c.shape.width + c.stride_slack;
  const std::size_t size = score_bytes(c.shape.scores);
  in.scores.resize(static_cast<std::size_t>((c.shape.rows - 1) * in.stride + c.shape.width) * size);
  const bool tied = bytes.within(0, 1) == 0;
  std::uint64_t state = bytes.number<std::uint64_t>();
  for (std::size_t i = 0; i < in.scores.size() / size; ++i) {
    // The bytes first; when they run out, a sequence that they seed.
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto word = bytes.size() > 0 ? bytes.number<std::uint32_t>() : static_cast<std::uint32_t>(state >> 32);
    if (tied)
      put_number(in.scores.data(), c.shape.scores, static_cast<std::int64_t>(i), few[word % std::size(few)]);
    else
      std::memcpy(in.scores.data() + i * size, &word, size);
  }
}

}  // namespace
}  // namespace tamis::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis::testing;
  Bytes bytes(data, size);
  const Case c = any_case(bytes);
  Inputs in;
  draw_windows(bytes, c, in);
  if (c.mapping == tamis::Mapping::paged) draw_table(bytes, c, in);
  if (c.mapping == tamis::Mapping::ragged)
    in.offsets = numbers(c.shape.rows, [&] { return bytes.number<std::int32_t>(); });
  draw_scores(bytes, c, in);
  const Machine& machine = machines()[static_cast<std::size_t>(bytes.within(0, 1))];
  const std::string wrong = run(prepare(c, std::move(in)), machine);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
