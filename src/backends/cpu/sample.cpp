// One cache line of each stratum of the row, at a hashed place: sorted and banded rows are sampled evenly, and no
// period of the data can hide from it.

#include "backends/cpu/sample.hpp"

#include <algorithm>
#include <cmath>

namespace tamis::detail::cpu {
namespace {

constexpr std::int64_t scores_per_sampled = 32;
constexpr std::int64_t most_sampled = 4096;
constexpr std::int64_t least_sampled = 64;

// The rank in the sample whose key about n of the row reach, with three standard deviations to spare and more where few
// are expected: one guess in a thousand falls short and costs a second read, which is less than a fourth deviation's
// survivors cost every row (512 x 16384, k 2048: 3 % of the row's time).
std::int64_t safe_rank(std::int64_t n, std::int64_t sampled, std::int64_t length) {
  const double expected = static_cast<double>(n) * static_cast<double>(sampled) / static_cast<double>(length);
  return static_cast<std::int64_t>(expected + 3 * std::sqrt(expected) + 3);
}

}  // namespace

std::int32_t guess_threshold(const Stretch& stretch, std::int64_t begin, std::int64_t n, std::uint32_t seed,
                             const KeyRule& rule, const Candidates& candidates) {
  const std::int64_t length = stretch.length - begin;
  const std::int64_t chunk = sample_chunk(stretch.type);
  const std::int64_t chunks = std::min(length / scores_per_sampled, most_sampled) / chunk;
  const std::int64_t sampled = chunks * chunk;
  const std::int64_t rank = safe_rank(n, sampled, length);
  if (sampled < least_sampled || 2 * rank > sampled) return any_key;
  kernels().sample(stretch, begin, chunks, seed, rule, candidates.spare_keys);
  return kernels().narrow(candidates.spare_keys, sampled, rank, candidates.spare_positions).key;
}

}  // namespace tamis::detail::cpu
