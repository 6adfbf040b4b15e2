// One pass a byte of the distance from the first key to the last, the lowest byte first: at most four, and fewer for
// keys that lie close together, as the best of a row do.

#include "backends/cpu/order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace tamis::detail::cpu {
namespace {

constexpr int most_digits = 4;
constexpr int bins = 256;
using Histogram = std::array<std::uint32_t, bins>;

// Keys as distances from the one that comes first, so that ascending distance is the order wanted.
struct BestFirst {
  std::uint32_t greatest;
  std::uint32_t distance(std::int32_t key) const { return greatest - static_cast<std::uint32_t>(key); }
};
struct LeastFirst {
  std::uint32_t least;
  std::uint32_t distance(std::int32_t key) const { return static_cast<std::uint32_t>(key) - least; }
};

std::uint32_t digit_of(std::uint32_t distance, int digit) { return distance >> (8 * digit) & (bins - 1); }

template <class Rule>
std::array<Histogram, most_digits> count_digits(const Candidates& candidates, Rule rule, int digits) {
  std::array<Histogram, most_digits> histograms{};
  for (int digit = 0; digit < digits; ++digit)
    for (std::int64_t i = 0; i < candidates.count; ++i)
      ++histograms[digit][digit_of(rule.distance(candidates.keys[i]), digit)];
  return histograms;
}

// Turns the histogram into the first place of each bin.
void to_places(Histogram& histogram) {
  std::uint32_t place = 0;
  for (std::uint32_t& bin : histogram) place += std::exchange(bin, place);
}

template <class Rule>
void scatter(Candidates& candidates, Histogram& places, Rule rule, int digit) {
  for (std::int64_t i = 0; i < candidates.count; ++i) {
    const std::uint32_t place = places[digit_of(rule.distance(candidates.keys[i]), digit)]++;
    candidates.spare_keys[place] = candidates.keys[i];
    candidates.spare_positions[place] = candidates.positions[i];
  }
  std::swap(candidates.keys, candidates.spare_keys);
  std::swap(candidates.positions, candidates.spare_positions);
}

template <class Rule>
void sort(Candidates& candidates, Rule rule, std::uint32_t farthest) {
  const int digits = (std::bit_width(farthest) + 7) / 8;
  auto histograms = count_digits(candidates, rule, digits);
  for (int digit = 0; digit < digits; ++digit) {
    to_places(histograms[digit]);
    scatter(candidates, histograms[digit], rule, digit);
  }
}

struct Extent {
  std::uint32_t least;
  std::uint32_t greatest;
};

Extent extent(const Candidates& candidates) {
  if (candidates.count == 0) return {};
  const auto [least, greatest] = std::minmax_element(candidates.keys, candidates.keys + candidates.count);
  return {static_cast<std::uint32_t>(*least), static_cast<std::uint32_t>(*greatest)};
}

}  // namespace

void sort_best_first(Candidates& candidates) {
  const Extent keys = extent(candidates);
  sort(candidates, BestFirst{keys.greatest}, keys.greatest - keys.least);
}

void sort_least_first(Candidates& candidates) {
  const Extent keys = extent(candidates);
  sort(candidates, LeastFirst{keys.least}, keys.greatest - keys.least);
}

}  // namespace tamis::detail::cpu
