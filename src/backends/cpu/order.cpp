// Four passes at most, one a byte of the key, the lowest first; a byte that all keys share takes none.

#include "backends/cpu/order.hpp"

#include <array>
#include <utility>

namespace tamis::detail::cpu {
namespace {

constexpr int digits = 4;
constexpr int bins = 256;
using Histograms = std::array<std::array<std::uint32_t, bins>, digits>;

// The key's digit such that ascending digits mean ascending (flip = 0x80000000) or descending (0x7fffffff) keys.
int digit_of(std::int32_t key, std::uint32_t flip, int digit) {
  return static_cast<int>((static_cast<std::uint32_t>(key) ^ flip) >> (8 * digit) & 0xff);
}

Histograms count_digits(const Candidates& candidates, std::uint32_t flip) {
  Histograms histograms{};
  for (std::int64_t i = 0; i < candidates.count; ++i)
    for (int digit = 0; digit < digits; ++digit) ++histograms[digit][digit_of(candidates.keys[i], flip, digit)];
  return histograms;
}

// Turns the histogram into the first place of each bin.
void to_places(std::array<std::uint32_t, bins>& histogram) {
  std::uint32_t place = 0;
  for (std::uint32_t& bin : histogram) place += std::exchange(bin, place);
}

void scatter(Candidates& candidates, std::array<std::uint32_t, bins>& places, std::uint32_t flip, int digit) {
  for (std::int64_t i = 0; i < candidates.count; ++i) {
    const std::uint32_t place = places[digit_of(candidates.keys[i], flip, digit)]++;
    candidates.spare_keys[place] = candidates.keys[i];
    candidates.spare_positions[place] = candidates.positions[i];
  }
  std::swap(candidates.keys, candidates.spare_keys);
  std::swap(candidates.positions, candidates.spare_positions);
}

void sort(Candidates& candidates, std::uint32_t flip) {
  if (candidates.count < 2) return;
  Histograms histograms = count_digits(candidates, flip);
  for (int digit = 0; digit < digits; ++digit) {
    auto& histogram = histograms[digit];
    if (histogram[digit_of(candidates.keys[0], flip, digit)] == candidates.count) continue;
    to_places(histogram);
    scatter(candidates, histogram, flip, digit);
  }
}

}  // namespace

void sort_best_first(Candidates& candidates) { sort(candidates, 0x7fffffffu); }
void sort_least_first(Candidates& candidates) { sort(candidates, 0x80000000u); }

}  // namespace tamis::detail::cpu
