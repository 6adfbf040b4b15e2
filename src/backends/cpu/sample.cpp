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

// Standard deviations that a guess has to spare. A guess that falls short costs a second read, which is dearer the longer
// the row; survivors beyond n cost the same at any length. Neighbours that are alike, as in a real indexer's scores,
// make more guesses fall short than chance: of pattern decode_like at 131072 one in ten at 4, one in twenty-five at 5.
// At 16384, whose second read is one of the cache, 2 takes 4 % less time than 3.25 (Xeon with AVX-512, k 2048).
double deviations(std::int64_t length) { return std::min(1.5 + static_cast<double>(length) / 32768, 5.0); }

// The rank in the sample whose key n of the row or somewhat more are expected to reach.
std::int64_t safe_rank(std::int64_t n, std::int64_t sampled, std::int64_t length) {
  const double expected = static_cast<double>(n) * static_cast<double>(sampled) / static_cast<double>(length);
  return static_cast<std::int64_t>(expected + deviations(length) * (std::sqrt(expected) + 1));
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
