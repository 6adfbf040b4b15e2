// Selection by shards, as ranks of a context-parallel job do it.

#include "support/shards.hpp"

#include <stdexcept>

namespace tamis::testing {
namespace {

void must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message);
}

Selected room_for(std::int64_t rows, std::int64_t k, ScoreType type) {
  return {std::vector<std::int32_t>(rows * k), std::vector<std::byte>(rows * k * score_bytes(type)),
          std::vector<std::int32_t>(rows)};
}

Output view(Selected& selected) {
  return {.indices = selected.indices.data(), .scores = selected.scores.data(), .counts = selected.counts.data()};
}

// Selects columns [begin, end) of rows that are `stride` apart; positions count from `begin`.
Selected select_columns(Shape shape, const std::byte* scores, std::int64_t stride, const Device& device) {
  const Plan made = plan(shape, device).value;
  std::vector<std::byte> workspace(made.workspace_bytes());
  Selected result = room_for(shape.rows, shape.k, shape.scores);
  must(select(made, {.scores = scores, .stride = stride}, view(result), {workspace.data(), workspace.size()}));
  return result;
}

}  // namespace

Selected select_whole(const Shape& shape, const std::vector<std::byte>& scores, const Device& device) {
  return select_columns(shape, scores.data(), shape.width, device);
}

Selected select_sharded(const Shape& shape, const std::vector<std::byte>& scores,
                        const std::vector<std::int64_t>& bounds, const Device& device) {
  Selected all;  // the lists of every shard, the last one's first: lower positions may come later
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    Shape part = shape;
    part.width = bounds[i + 1] - bounds[i];
    const std::byte* first = scores.data() + bounds[i] * static_cast<std::int64_t>(score_bytes(shape.scores));
    Selected shard = select_columns(part, first, shape.width, device);
    for (std::int32_t& index : shard.indices)
      if (index >= 0) index += static_cast<std::int32_t>(bounds[i]);
    all.indices.insert(all.indices.begin(), shard.indices.begin(), shard.indices.end());
    all.scores.insert(all.scores.begin(), shard.scores.begin(), shard.scores.end());
    all.counts.insert(all.counts.begin(), shard.counts.begin(), shard.counts.end());
  }
  const MergeShape merging{.rows = shape.rows,
                           .lists = static_cast<std::int64_t>(bounds.size()) - 1,
                           .capacity = shape.k,
                           .k = shape.k,
                           .scores = shape.scores,
                           .ties = shape.ties,
                           .order = shape.order,
                           .nan = shape.nan};
  const Result<Plan> made = plan(merging, device);
  must(made.status);
  std::vector<std::byte> workspace(made.value.workspace_bytes());
  Selected result = room_for(shape.rows, shape.k, shape.scores);
  must(merge(made.value, {.scores = all.scores.data(), .positions = all.indices.data(), .counts = all.counts.data()},
             view(result), {workspace.data(), workspace.size()}));
  return result;
}

}  // namespace tamis::testing
