// While lists are streamed a candidate is known by its place, list * capacity + entry; what a place holds is looked up
// for ties and for those that are selected. Lists come in any order, so a later tie may still have a lower position and
// the running threshold lets ties pass.

#include "backends/cpu/merge.hpp"

#include <algorithm>
#include <cstring>

#include "backends/cpu/emit.hpp"
#include "backends/cpu/mapping.hpp"
#include "backends/cpu/order.hpp"
#include "backends/cpu/refine.hpp"

namespace tamis::detail::cpu {
namespace {

// What the lists hold at a place of one row.
class Places {
 public:
  Places(const MergeCall& call, std::int64_t row)
      : call_(call), row_(row), capacity_(call.plan.merge.capacity), bytes_(score_bytes(call.plan.merge.scores)) {}

  std::int64_t entries(std::int64_t list) const {
    const std::int64_t capacity = call_.plan.merge.capacity;
    if (call_.lists.counts == nullptr) return capacity;
    return std::clamp<std::int64_t>(call_.lists.counts[list * call_.plan.merge.rows + row_], 0, capacity);
  }
  Stretch stretch(std::int64_t list) const {
    return {.scores = score(offset(list, 0)),
            .length = entries(list),
            .first = static_cast<std::int32_t>(list * call_.plan.merge.capacity),
            .type = call_.plan.merge.scores};
  }
  std::int32_t position(std::int32_t place) const { return call_.lists.positions[offset(place)]; }
  std::uint32_t bits(std::int32_t place) const {
    std::uint32_t result = 0;
    std::memcpy(&result, score(offset(place)), bytes_);
    return result;
  }
  std::size_t score_size() const { return bytes_; }

 private:
  std::int64_t offset(std::int64_t list, std::int64_t entry) const {
    return list * call_.lists.list_stride + row_ * call_.lists.row_stride + entry;
  }
  std::int64_t offset(std::int32_t place) const {
    const std::int64_t list = capacity_.quotient(place);
    return offset(list, place - list * call_.plan.merge.capacity);
  }
  const std::byte* score(std::int64_t at) const {
    return static_cast<const std::byte*>(call_.lists.scores) + static_cast<std::size_t>(at) * bytes_;
  }

  const MergeCall& call_;
  std::int64_t row_;
  Divider capacity_;
  std::size_t bytes_;
};

// The greatest position that a candidate equal to the threshold may have, `ties` of them being wanted.
std::int32_t last_tie(const Places& places, const Candidates& candidates, std::int32_t key, std::int64_t ties) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < candidates.count; ++i)
    if (candidates.keys[i] == key) candidates.spare_keys[count++] = ~places.position(candidates.positions[i]);
  return ~kernels().narrow(candidates.spare_keys, count, ties, candidates.spare_positions).key;
}

// Leaves the n best candidates and returns the least key among them.
std::int32_t settle_by_position(const Places& places, Candidates& candidates, std::int64_t n) {
  const Threshold threshold = kernels().narrow(candidates.keys, candidates.count, n, candidates.spare_keys);
  std::int64_t ties = n - threshold.above;
  const std::int32_t last = last_tie(places, candidates, threshold.key, ties);
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < candidates.count; ++i) {
    const std::int32_t key = candidates.keys[i], place = candidates.positions[i];
    const bool tie = key == threshold.key && ties > 0 && places.position(place) <= last;
    ties -= tie;
    if (key <= threshold.key && !tie) continue;
    candidates.keys[kept] = key;
    candidates.positions[kept++] = place;
  }
  candidates.count = kept;
  return threshold.key;
}

// Returns the raised threshold.
std::int32_t stream_list(const Places& places, const Stretch& stretch, std::int64_t k, const KeyRule& rule,
                         std::int32_t at_least, Candidates& candidates) {
  for (std::int64_t next = 0; next < stretch.length;) {
    next = kernels().filter(stretch, next, at_least, rule, candidates);
    if (next < stretch.length) at_least = settle_by_position(places, candidates, k);
  }
  return at_least;
}

// Ascending position, or best first with equal scores by position. Afterwards keys hold nothing of use.
void put_in_order(const Places& places, Order order, const KeyRule& rule, Candidates& candidates) {
  for (std::int64_t i = 0; i < candidates.count; ++i) candidates.keys[i] = places.position(candidates.positions[i]);
  sort_least_first(candidates);
  if (order != Order::by_score) return;
  for (std::int64_t i = 0; i < candidates.count; ++i)
    candidates.keys[i] = key_of(places.bits(candidates.positions[i]), rule);
  sort_best_first(candidates);
}

// Looks up what is to be written: positions replace the keys, scores lie packed in the spare array.
Selection looked_up(const Places& places, Candidates& candidates) {
  auto* scores = reinterpret_cast<std::byte*>(candidates.spare_keys);
  for (std::int64_t i = 0; i < candidates.count; ++i) {
    const std::int32_t place = candidates.positions[i];
    candidates.keys[i] = places.position(place);
    const std::uint32_t bits = places.bits(place);
    std::memcpy(scores + static_cast<std::size_t>(i) * places.score_size(), &bits, places.score_size());
  }
  return {candidates.count, candidates.keys, scores, nullptr};
}

}  // namespace

void merge_row(const MergeCall& call, std::int64_t row, Candidates candidates, Faults& faults) {
  const MergeShape& shape = call.plan.merge;
  const KeyRule rule = key_rule(shape.scores, shape.nan);
  const Places places(call, row);
  std::int32_t at_least = any_key;
  for (std::int64_t list = 0; list < shape.lists; ++list)
    at_least = stream_list(places, places.stretch(list), shape.k, rule, at_least, candidates);
  if (candidates.count > shape.k) settle_by_position(places, candidates, shape.k);
  put_in_order(places, shape.order, rule, candidates);
  emit(looked_up(places, candidates), call.plan.shape, row, call.output, faults);
}

}  // namespace tamis::detail::cpu
