// Sections 5 and 6 of the contract on host memory: sentences that one case in a fresh process cannot show.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "support/runner.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

// One selection of indices on host memory.
struct Call {
  Shape shape{.rows = 6, .width = 3000, .k = 100, .order = Order::by_index};
  std::vector<float> scores;
  std::vector<std::int32_t> lengths, indices, counts;
  std::vector<std::byte> workspace;
  Plan made;

  explicit Call(const char* pattern = "levels", const Device& device = cpu_device()) {
    scores.resize(shape.rows * shape.width);
    const workload::Target target{
        .scores = scores.data(), .rows = shape.rows, .width = shape.width, .stride = shape.width};
    EXPECT_TRUE(workload::generate(pattern, 7, target).ok());
    lengths.assign(shape.rows, static_cast<std::int32_t>(shape.width));
    indices.assign(shape.rows * shape.k, 77);
    counts.assign(shape.rows, 77);
    made = plan(shape, device).value;
    workspace.resize(made.workspace_bytes() + 1);
  }

  Rows rows() const { return {.scores = scores.data(), .stride = shape.width, .lengths = lengths.data()}; }
  Output output() { return {.indices = indices.data(), .counts = counts.data()}; }
  Workspace lent() { return {workspace.data(), made.workspace_bytes()}; }
  Status select(Stream stream = {}) { return tamis::select(made, rows(), output(), lent(), stream); }
  std::string verdict() { return verify(shape, rows(), output()).value.message; }
  bool untouched() const {
    const auto is_77 = [](std::int32_t value) { return value == 77; };
    return std::all_of(indices.begin(), indices.end(), is_77) && std::all_of(counts.begin(), counts.end(), is_77);
  }
};

TEST(Select, ReplaysRightForWhateverLengthsTheArrayThenHolds) {
  Call call;
  for (std::int32_t length : {10, 3000, 0, 100, 101, 2999, -1, 50, 3000}) {
    call.lengths.assign(call.shape.rows, length);
    ASSERT_TRUE(call.select().ok());
    EXPECT_EQ(call.verdict(), "");
  }
}

TEST(Select, DoesNotCareWhatTheWorkspaceHolds) {
  Call call;
  ASSERT_TRUE(call.select().ok());
  const std::vector<std::int32_t> first = call.indices;
  for (int fill : {0x00, 0xff, 0x7f, 0x01}) {
    std::fill(call.workspace.begin(), call.workspace.end(), static_cast<std::byte>(fill));
    ASSERT_TRUE(call.select().ok());
    EXPECT_EQ(call.indices, first);
  }
}

TEST(Select, RunsOnAnyNumberOfThreadsAtOnceWithOnePlan) {
  Call expected;
  ASSERT_TRUE(expected.select().ok());
  std::vector<Call> calls(6);
  std::vector<std::thread> threads;
  for (Call& call : calls)
    threads.emplace_back([&call, &expected] {
      for (int i = 0; i < 50; ++i)
        EXPECT_TRUE(tamis::select(expected.made, call.rows(), call.output(), call.lent()).ok());
    });
  for (std::thread& thread : threads) thread.join();
  for (const Call& call : calls) EXPECT_EQ(call.indices, expected.indices);
}

TEST(Select, TakesTurnsWhereCallsShareThreads) {
  Threads shared(3);
  Call expected;
  ASSERT_TRUE(expected.select().ok());
  std::vector<std::unique_ptr<Call>> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(std::make_unique<Call>("levels", cpu_device(3)));
  std::vector<std::thread> threads;
  for (auto& call : calls)
    threads.emplace_back([&call, &shared] {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(call->select(Stream(shared)).ok());
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& call : calls) EXPECT_EQ(call->indices, expected.indices);
}

// More or fewer threads than the plan was made for change the time, not the answer.
TEST(Select, GivesTheSameBitsOnAnyNumberOfThreads) {
  Call expected("fp8");
  ASSERT_TRUE(expected.select().ok());
  for (std::int32_t planned : {1, 2, 4})
    for (std::int32_t given : {1, 2, 7}) {
      Threads threads(given);
      Call call("fp8", cpu_device(planned));
      ASSERT_TRUE(call.select(Stream(threads)).ok());
      EXPECT_EQ(call.indices, expected.indices) << planned << " planned, " << given << " given";
    }
}

TEST(Select, AddsToTheFaultsRecord) {
  Call call;
  Faults faults;
  Output output = call.output();
  output.faults = &faults;
  call.lengths[4] = 3001;
  ASSERT_TRUE(tamis::select(call.made, call.rows(), output, call.lent()).ok());
  EXPECT_EQ(faults.length, (Fault{1, 4}));
  call.lengths[2] = 4000;
  ASSERT_TRUE(tamis::select(call.made, call.rows(), output, call.lent()).ok());
  EXPECT_EQ(faults.length, (Fault{3, 2}));
  EXPECT_EQ(faults.start, Fault{});
  EXPECT_EQ(call.verdict(), "");
}

// Scores in pages that cannot be written, ending where a page that cannot be read begins.
TEST(Select, OnlyReadsScoresAndNeverPastTheirEnd) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  Call call("normal");
  const std::size_t bytes = call.scores.size() * sizeof(float), room = (bytes + page - 1) / page * page;
  auto* memory =
      static_cast<char*>(mmap(nullptr, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  char* end = memory + page + room;
  std::copy_n(reinterpret_cast<const char*>(call.scores.data()), bytes, end - bytes);
  ASSERT_EQ(mprotect(memory + page, room, PROT_READ), 0);
  ASSERT_EQ(mprotect(memory, page, PROT_NONE), 0);
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  Rows rows = call.rows();
  for (std::int32_t length : {3000, 2999, 2993, 101}) {
    // The last window ends with the memory.
    std::vector<std::int32_t> starts(call.shape.rows, 3000 - length);
    call.lengths.assign(call.shape.rows, length);
    rows.starts = starts.data();
    rows.scores = end - bytes;
    ASSERT_TRUE(tamis::select(call.made, rows, call.output(), call.lent()).ok());
    EXPECT_EQ(verify(call.shape, rows, call.output()).value.message, "");
  }
  munmap(memory, room + 2 * page);
}

TEST(Select, ReachesPastTwoToThe32Elements) {
  constexpr std::int64_t stride = (std::int64_t{1} << 30) + 3, rows_count = 6, width = 3000;
  const std::size_t bytes = (rows_count * stride + width) * sizeof(float);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no address space of " << bytes << " bytes here";
  const Call call("normal");
  for (std::int64_t r = 0; r < rows_count; ++r)
    std::copy_n(call.scores.data() + r * width, width, static_cast<float*>(memory) + r * stride);
  std::vector<std::int32_t> near(rows_count * 100), far(rows_count * 100);
  std::vector<std::byte> workspace(call.made.workspace_bytes() + 1);
  const Workspace lent{workspace.data(), workspace.size()};
  ASSERT_TRUE(tamis::select(call.made, call.rows(), {.indices = near.data()}, lent).ok());
  ASSERT_TRUE(tamis::select(call.made, {.scores = memory, .stride = stride}, {.indices = far.data()}, lent).ok());
  EXPECT_EQ(near, far);
  munmap(memory, bytes);
}

// What the host can see is an error that names the argument; nothing is written.
struct Mistake {
  const char* name;
  Code code;
  const char* argument;
  std::function<Status(Call&)> make;
};

const std::vector<Mistake>& mistakes() {
  const auto with_rows = [](auto change) {
    return [=](Call& call) {
      Rows rows = call.rows();
      change(rows);
      return tamis::select(call.made, rows, call.output(), call.lent());
    };
  };
  const auto with_output = [](auto change) {
    return [=](Call& call) {
      Output output = call.output();
      change(output);
      return tamis::select(call.made, call.rows(), output, call.lent());
    };
  };
  static const std::vector<std::int32_t> entries(10000);
  const auto paged = [=](auto change) {
    return with_output([=](Output& output) {
      output.mapping = Mapping::paged;
      output.slots = output.indices;
      output.page_table = {.entries = entries.data(), .tables = 6, .columns = 47, .stride = 47, .page_size = 64};
      change(output.page_table);
    });
  };
  const auto off_by_one = [](auto* pointer) {
    return reinterpret_cast<decltype(pointer)>(reinterpret_cast<std::uintptr_t>(pointer) + 1);
  };
  constexpr Code invalid = Code::invalid_argument;
  static const std::vector<Mistake> list = {
      {"NoScores", invalid, "scores", with_rows([](Rows& rows) { rows.scores = nullptr; })},
      {"NegativeStride", invalid, "stride", with_rows([](Rows& rows) { rows.stride = -1; })},
      {"StrideThatOverflows", invalid, "stride", with_rows([](Rows& rows) { rows.stride = INT64_MAX; })},
      {"ScoresOffTheElement", invalid, "scores",
       with_rows([](Rows& rows) { rows.scores = static_cast<const char*>(rows.scores) + 2; })},
      {"LengthsOffTheElement", invalid, "lengths",
       with_rows([=](Rows& rows) { rows.lengths = off_by_one(rows.lengths); })},
      {"StartsOffTheElement", invalid, "starts",
       with_rows([=](Rows& rows) { rows.starts = off_by_one(rows.lengths); })},
      {"NoOutput", invalid, "indices", with_output([](Output& output) { output = {}; })},
      {"IndicesOffTheElement", invalid, "indices",
       with_output([=](Output& output) { output.indices = off_by_one(output.indices); })},
      {"IndicesStrideBelowK", invalid, "indices", with_output([](Output& output) { output.indices_stride = 99; })},
      {"UnknownMapping", invalid, "mapping",
       with_output([](Output& output) { output.mapping = static_cast<Mapping>(3); })},
      {"UnknownSlotType", invalid, "slot type",
       with_output([](Output& output) { output.slot_type = static_cast<SlotType>(2); })},
      {"RaggedWithoutOffsets", invalid, "offsets",
       with_output([](Output& output) { output.mapping = Mapping::ragged, output.slots = output.indices; })},
      {"PageSizeZero", invalid, "page_size", paged([](PageTable& table) { table.page_size = 0; })},
      {"NoEntries", invalid, "entries", paged([](PageTable& table) { table.entries = nullptr; })},
      {"NegativeColumns", invalid, "columns", paged([](PageTable& table) { table.columns = -1; })},
      {"NegativeTables", invalid, "tables", paged([](PageTable& table) { table.tables = -1; })},
      {"NegativeTableStride", invalid, "stride", paged([](PageTable& table) { table.stride = -1; })},
      {"TableOfRowAndSegments", invalid, "cu_rows",
       paged([](PageTable& table) { table.cu_rows = table.table_of_row = entries.data(); })},
      {"EmptyPlan", Code::plan_mismatch, "plan",
       [](Call& call) { return tamis::select(Plan(), call.rows(), call.output(), call.lent()); }},
      {"PlanOfAMerge", Code::plan_mismatch, "plan",
       [](Call& call) {
         const Plan merging = plan(MergeShape{.rows = 6, .lists = 1, .capacity = 3000, .k = 100}, cpu_device()).value;
         return tamis::select(merging, call.rows(), call.output(), call.lent());
       }},
  };
  return list;
}

class AMistake : public ::testing::TestWithParam<std::size_t> {};

TEST_P(AMistake, IsNamedAndNothingIsWritten) {
  const Mistake& mistake = mistakes()[GetParam()];
  Call call;
  const Status status = mistake.make(call);
  EXPECT_EQ(name(status.code), name(mistake.code)) << status.message;
  EXPECT_NE(status.message.find(mistake.argument), std::string::npos) << status.message;
  EXPECT_TRUE(call.untouched());
}

INSTANTIATE_TEST_SUITE_P(Select, AMistake, ::testing::Range<std::size_t>(0, mistakes().size()),
                         [](const auto& param) { return std::string(mistakes()[param.param].name); });

TEST(Select, RefusesAWorkspaceThatIsTooSmall) {
  // Of the plans at hand, those that need a workspace.
  for (std::int64_t width : {3000, 400000}) {
    Call call;
    call.shape.rows = 1, call.shape.width = width;
    call.scores.resize(width);
    call.made = plan(call.shape, cpu_device(2)).value;
    if (call.made.workspace_bytes() == 0) continue;
    std::vector<std::byte> workspace(call.made.workspace_bytes());
    const Status status = tamis::select(call.made, {.scores = call.scores.data(), .stride = width}, call.output(),
                                        {workspace.data(), workspace.size() - 1});
    EXPECT_EQ(status.code, Code::workspace_too_small) << status.message;
    EXPECT_NE(status.message.find(std::to_string(workspace.size())), std::string::npos) << status.message;
    EXPECT_TRUE(call.untouched());
  }
}

TEST(Select, HasNothingToDoForNoRows) {
  const Plan made = plan(Shape{.rows = 0, .width = 1 << 30, .k = 1 << 20}, cpu_device(64)).value;
  EXPECT_EQ(made.workspace_bytes(), 0u);
  EXPECT_TRUE(tamis::select(made, {}, {}).ok());
}

TEST(Select, NeedsNoScoresWhereThereAreNoColumns) {
  const Plan made = plan(Shape{.rows = 3, .width = 0, .k = 2}, cpu_device()).value;
  std::vector<std::int32_t> indices(6, 77);
  ASSERT_TRUE(tamis::select(made, {.scores = nullptr, .stride = 5}, {.indices = indices.data()}).ok());
  EXPECT_EQ(indices, std::vector<std::int32_t>(6, -1));
}

TEST(Select, FindsNoPageInATableWithoutColumns) {
  Call call;
  Faults faults;
  std::vector<std::int64_t> slots(call.shape.rows * call.shape.k, 77);
  const Output output{.slots = slots.data(),
                      .slot_type = SlotType::i64,
                      .mapping = Mapping::paged,
                      .page_table = {.entries = nullptr, .tables = 6, .columns = 0, .stride = 7, .page_size = 64},
                      .faults = &faults};
  ASSERT_TRUE(tamis::select(call.made, call.rows(), output, call.lent()).ok());
  EXPECT_EQ(slots, std::vector<std::int64_t>(slots.size(), -1));
  EXPECT_EQ(faults.page, (Fault{600, 0}));
  EXPECT_EQ(verify(call.shape, call.rows(), output).value.message, "");
}

// One record may gather what several streams clamp.
TEST(Select, CountsFaultsOfCallsAtOnceInOneRecord) {
  constexpr int callers = 4, rounds = 200;
  Call call;
  Faults faults;
  call.lengths.assign(call.shape.rows, 3001);
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i)
    threads.emplace_back([&] {
      std::vector<std::byte> workspace(call.made.workspace_bytes());
      std::vector<std::int32_t> counts(call.shape.rows);
      const Output output{.counts = counts.data(), .faults = &faults};
      for (int round = 0; round < rounds; ++round)
        EXPECT_TRUE(tamis::select(call.made, call.rows(), output, {workspace.data(), workspace.size()}).ok());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults.length, (Fault{callers * rounds * call.shape.rows, 0}));
}

}  // namespace
}  // namespace tamis::testing
