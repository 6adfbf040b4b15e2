// merge on every machine that runs kernels, against a plain sort of all candidates: lists in no order, counts out of
// range, ties across lists, more selected than are sorted on chip.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "support/buffer.hpp"
#include "support/gpu_machines.hpp"

namespace tamis::testing {
namespace {

struct Entry {
  float score;
  std::int32_t position;
};

// Candidate lists in host memory, tight, and what of them counts.
struct Trial {
  MergeShape shape;
  std::vector<float> scores;
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> counts;

  std::vector<Entry> entries(std::int64_t row) const {
    std::vector<Entry> result;
    for (std::int64_t list = 0; list < shape.lists; ++list) {
      const std::int64_t first = (list * shape.rows + row) * shape.capacity;
      const auto count = std::clamp<std::int64_t>(counts[list * shape.rows + row], 0, shape.capacity);
      for (std::int64_t i = first; i < first + count; ++i) result.push_back({scores[i], positions[i]});
    }
    return result;
  }
};

// NaN is drawn seldom, zeros of both signs and few levels often, so that most selections end in a tie.
float drawn_score(std::mt19937& random, int levels) {
  const auto draw = random() % 100;
  if (draw == 0) return std::nanf("");
  if (draw < 3) return draw == 1 ? INFINITY : -INFINITY;
  if (draw < 8) return draw % 2 == 0 ? 0.0f : -0.0f;
  return static_cast<float>(static_cast<int>(random() % levels)) - static_cast<float>(levels) / 2;
}

Trial drawn_trial(const MergeShape& shape, int levels, unsigned seed) {
  std::mt19937 random(seed);
  const auto entries = static_cast<std::size_t>(shape.lists * shape.rows * shape.capacity);
  Trial trial{shape, std::vector<float>(entries), std::vector<std::int32_t>(entries), {}};
  for (float& score : trial.scores) score = drawn_score(random, levels);
  std::vector<std::int32_t> all(static_cast<std::size_t>(shape.lists * shape.capacity));
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), random);
    for (std::int64_t list = 0; list < shape.lists; ++list)
      std::copy_n(all.begin() + list * shape.capacity, shape.capacity,
                  trial.positions.begin() + (list * shape.rows + row) * shape.capacity);
  }
  const auto room = static_cast<std::int32_t>(shape.capacity);
  const std::int32_t counts[] = {room, room + 5, -1, 0, 1, room / 2, room};
  for (std::int64_t i = 0; i < shape.lists * shape.rows; ++i) trial.counts.push_back(counts[random() % 7]);
  return trial;
}

// The strict order of the contract.
bool before(const Entry& a, const Entry& b, Nan nan) {
  const auto rank = [&](float score) { return std::isnan(score) ? (nan == Nan::highest ? 1 : -1) : 0; };
  if (rank(a.score) != rank(b.score)) return rank(a.score) > rank(b.score);
  if (rank(a.score) == 0 && a.score != b.score) return a.score > b.score;
  return a.position < b.position;
}

std::vector<std::int32_t> expected(const Trial& trial, std::int64_t row) {
  std::vector<Entry> entries = trial.entries(row);
  std::sort(entries.begin(), entries.end(), [&](auto& a, auto& b) { return before(a, b, trial.shape.nan); });
  if (static_cast<std::int64_t>(entries.size()) > trial.shape.k)
    entries.resize(static_cast<std::size_t>(trial.shape.k));
  if (trial.shape.order != Order::by_score)
    std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.position < b.position; });
  std::vector<std::int32_t> positions;
  for (const Entry& entry : entries) positions.push_back(entry.position);
  positions.resize(static_cast<std::size_t>(trial.shape.k), -1);
  return positions;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<std::int32_t> merged(const Trial& trial, const Machine& machine) {
  const detail::Memory& memory = detail::find_backend(machine.device.backend)->memory;
  const Result<Plan> plan = tamis::plan(trial.shape, machine.device);
  EXPECT_TRUE(plan.ok()) << plan.status.message;
  const Buffer scores(memory, bytes_of(trial.scores)), positions(memory, bytes_of(trial.positions)),
      counts(memory, bytes_of(trial.counts));
  std::vector<std::int32_t> indices(static_cast<std::size_t>(trial.shape.rows * trial.shape.k), 77);
  const Buffer output(memory, bytes_of(indices));
  const std::size_t bytes = plan.value.workspace_bytes();
  const Buffer workspace(memory, std::vector<std::byte>(bytes, std::byte{0x5a}));
  Status status = merge(plan.value,
                        {.scores = scores.data(),
                         .positions = static_cast<const std::int32_t*>(positions.data()),
                         .counts = static_cast<const std::int32_t*>(counts.data())},
                        {.indices = static_cast<std::int32_t*>(output.data())},
                        {bytes == 0 ? nullptr : workspace.data(), bytes}, machine.stream);
  if (status.ok()) status = detail::find_backend(machine.device.backend)->synchronize(machine.stream);
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_TRUE(output.guards_intact() && workspace.guards_intact());
  const std::vector<std::byte> content = output.content();
  std::memcpy(indices.data(), content.data(), content.size());
  return indices;
}

// Every machine whose kernels merge: a method is of select.
std::vector<Machine> merging_machines() {
  std::vector<Machine> list = scheduled_machines(0, 2);
  list.insert(list.end(), machines().begin(), machines().end());
  std::erase_if(list, [](const Machine& machine) {
    return !machine.method.empty() || machine.schedules == Schedules::drawn || machine.device.backend == Backend::cpu;
  });
  return list;
}

struct Sizes {
  std::int64_t rows, lists, capacity, k;
  int levels;
};

class Merges : public ::testing::TestWithParam<Sizes> {};

TEST_P(Merges, GiveTheFirstNOfAllCandidatesOnEveryMachine) {
  const Sizes sizes = GetParam();
  unsigned seed = 0;
  for (const Machine& machine : merging_machines())
    for (Order order : {Order::any, Order::by_index, Order::by_score}) {
      const Nan nan = seed % 2 == 0 ? Nan::lowest : Nan::highest;
      const Trial trial = drawn_trial({.rows = sizes.rows,
                                       .lists = sizes.lists,
                                       .capacity = sizes.capacity,
                                       .k = sizes.k,
                                       .order = order,
                                       .nan = nan},
                                      sizes.levels, ++seed);
      const std::vector<std::int32_t> got = merged(trial, machine);
      for (std::int64_t row = 0; row < sizes.rows; ++row) {
        const std::vector<std::int32_t> mine(got.begin() + row * sizes.k, got.begin() + (row + 1) * sizes.k);
        ASSERT_EQ(mine, expected(trial, row)) << machine.name << " row " << row << " order " << name(order);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Merges,
                         ::testing::Values(Sizes{3, 1, 1, 1, 4}, Sizes{2, 8, 64, 64, 5},
                                           Sizes{4, 3, 1000, 2048, 100000}, Sizes{1, 16, 512, 512, 1},
                                           Sizes{2, 2, 9000, 9999, 3000}, Sizes{1, 700, 3, 200, 9}));

// More than shared memory sorts, so that the workspace is used.
TEST(LargeMerges, SortInTheWorkspace) {
  Machine machine{"emulated", emulated_device(32), Stream()};
  machine.device.shared_bytes_per_block = 16 * 1024;
  for (Order order : {Order::by_index, Order::by_score}) {
    const Trial trial = drawn_trial({.rows = 2, .lists = 4, .capacity = 1000, .k = 3000, .order = order}, 500, 1);
    ASSERT_GT(tamis::plan(trial.shape, machine.device).value.workspace_bytes(), 0u);
    const std::vector<std::int32_t> got = merged(trial, machine);
    for (std::int64_t row = 0; row < 2; ++row)
      EXPECT_EQ(std::vector<std::int32_t>(got.begin() + row * 3000, got.begin() + (row + 1) * 3000),
                expected(trial, row));
  }
}

}  // namespace
}  // namespace tamis::testing
