// Runs a trial: generates the input, lends a dirty workspace with guards on both sides, selects, verifies.

#include "trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tamis/workload.hpp"

namespace tamis::test {
namespace {

constexpr auto dirt = std::byte{0xa5};
constexpr std::size_t guard = 256;

std::vector<std::byte> input_of(const Trial& trial) {
  const Shape& shape = trial.shape;
  std::vector<std::byte> scores(shape.rows * shape.width * score_bytes(shape.scores));
  const Status status = workload::generate(
      trial.pattern, trial.seed,
      {.scores = scores.data(), .type = shape.scores, .rows = shape.rows, .width = shape.width, .stride = shape.width});
  if (!status.ok()) throw std::runtime_error(status.message);
  return scores;
}

struct Outputs {
  explicit Outputs(const Shape& shape)
      : indices(shape.rows * shape.k, 77),
        counts(shape.rows, 77),
        scores(shape.rows * shape.k * score_bytes(shape.scores), dirt),
        slots(shape.rows * shape.k, 77) {}

  Output output() {
    return {.indices = indices.data(),
            .slots = slots.data(),
            .slot_type = SlotType::i64,
            .scores = scores.data(),
            .counts = counts.data()};
  }

  std::vector<std::int32_t> indices, counts;
  std::vector<std::byte> scores;
  std::vector<std::int64_t> slots;
};

bool untouched(const std::vector<std::byte>& memory, std::size_t begin, std::size_t end) {
  return std::all_of(memory.begin() + begin, memory.begin() + end, [](std::byte b) { return b == dirt; });
}

}  // namespace

Outcome run(const Trial& trial) {
  const auto planned = plan(trial.shape, cpu_device(trial.planned));
  if (!planned.ok()) return {.complaint = planned.status.message};
  const std::vector<std::byte> scores = input_of(trial);
  const Rows rows{.scores = scores.data(),
                  .stride = trial.shape.width,
                  .lengths = trial.lengths.empty() ? nullptr : trial.lengths.data(),
                  .starts = trial.starts.empty() ? nullptr : trial.starts.data()};
  Outputs outputs(trial.shape);
  const std::size_t bytes = planned.value.workspace_bytes(), begin = guard + trial.misalignment;
  std::vector<std::byte> memory(begin + bytes + guard, dirt);
  Threads threads(trial.threads);
  const Status status = select(planned.value, rows, outputs.output(), {memory.data() + begin, bytes}, Stream(threads));
  if (!status.ok()) return {.complaint = status.message};
  const auto report = verify(trial.shape, rows, outputs.output());
  Outcome outcome{.indices = outputs.indices, .complaint = report.ok() ? report.value.message : report.status.message};
  if (!untouched(memory, 0, begin) || !untouched(memory, begin + bytes, memory.size()))
    outcome.complaint += "; memory outside the workspace was written";
  return outcome;
}

std::string describe(const Trial& trial) {
  const Shape& s = trial.shape;
  return fmt::format("{} {} rows {} width {} k {} ties {} order {} nan {} seed {} planned {} threads {}", trial.pattern,
                     name(s.scores), s.rows, s.width, s.k, name(s.ties), name(s.order), name(s.nan), trial.seed,
                     trial.planned, trial.threads);
}

}  // namespace tamis::test
