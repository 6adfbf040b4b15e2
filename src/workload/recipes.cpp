// The score patterns: what indexers produce, what has broken selectors, and what is aimed at a method's weak spot. Each
// is a function from (row, position) to the bits of an f32 score.

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "workload/recipe.hpp"

namespace tamis::workload {
namespace {

constexpr std::uint32_t plus_infinity = 0x7f800000u;
constexpr std::uint32_t minus_infinity = 0xff800000u;
constexpr std::uint32_t sign_bit = 0x80000000u;

std::uint32_t score(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

// Whether `position` is the one of `count` positions, spread evenly over the row, that a hash picks in its stretch.
bool picked(const Row& row, std::int64_t position, std::int64_t count) {
  if (count >= row.width()) return true;
  const std::int64_t stretch = position * count / row.width();
  const std::int64_t begin = (stretch * row.width() + count - 1) / count;
  const std::int64_t end = ((stretch + 1) * row.width() + count - 1) / count;
  return position == begin + row.below(static_cast<std::uint32_t>(end - begin), stretch, 8);
}

// ---- what indexers produce

std::uint32_t normal(const Row& row, std::int64_t i) { return score(row.normal(i)); }

std::uint32_t relu(const Row& row, std::int64_t i) {
  double sum = 0;
  for (std::uint64_t head = 0; head < 4; ++head) {
    const double weight = row.uniform(-1, head);
    sum += weight * std::max(0.0, row.normal(i, 2 * head) - 1);
  }
  return score(sum);
}

std::uint32_t decode_like(const Row& row, std::int64_t i) {
  constexpr std::int64_t passage = 64;
  const bool on_topic = row.bits(i / passage, 4) % 16 == 0;
  const double topic = on_topic ? 0.5 + row.uniform(i / passage, 5) : 0.0;
  const double recency = 1.0 / (1.0 + static_cast<double>(row.width() - 1 - i) / 16);
  const double spike = static_cast<double>(std::countl_zero(row.bits(i, 2) | 1)) / 8;  // each step half as likely
  const double attention_sink = i < 4 ? 6.0 : 0.0;
  return score(0.15 * row.normal(i) + topic + recency + spike + attention_sink);
}

std::uint32_t sinks(const Row& row, std::int64_t i) {
  if (i < 4) return plus_infinity;
  const bool recent = row.width() - i <= std::max<std::int64_t>(row.width() / 64, 8);
  return score(row.normal(i) + (recent ? 8 : 0));
}

std::uint32_t fp8(const Row& row, std::int64_t i) {
  const std::uint32_t bits = score(4 * row.normal(i));
  const std::uint32_t magnitude = bits & ~sign_bit;
  const std::uint32_t sign = bits & sign_bit;
  if (magnitude >= 0x3c800000u) {  // 2^-6: normal numbers of e4m3 keep 3 of the 23 mantissa bits
    const std::uint32_t odd = magnitude >> 20 & 1;
    return sign | ((magnitude + 0x7ffffu + odd) & ~0xfffffu);
  }
  const auto steps = static_cast<std::int32_t>(std::bit_cast<float>(magnitude) * 512 + 0.5f);  // denormals: 2^-9 apart
  return sign | std::bit_cast<std::uint32_t>(static_cast<float>(steps) / 512);
}

// ---- crowded values: bins and candidate buffers overflow

std::uint32_t banded(const Row& row, std::int64_t i) {
  constexpr std::uint32_t values = 2055209;  // f32 numbers in [1.0, 1.245)
  return 0x3f800000u + row.below(values, i);
}

std::uint32_t narrow(const Row& row, std::int64_t i) {
  return 0x3f900000u | static_cast<std::uint32_t>(row.bits(i) & 0x3ff);
}

std::uint32_t equal(const Row& row, std::int64_t) { return score(row.normal(-1)); }

std::uint32_t levels(const Row& row, std::int64_t i) { return score(0.125 * static_cast<double>(row.bits(i) & 7)); }

std::uint32_t few_winners(const Row& row, std::int64_t i) {
  return picked(row, i, 100) ? score(1 + row.uniform(i)) : 0;
}

std::uint32_t zeros(const Row& row, std::int64_t i) {
  const std::uint64_t bits = row.bits(i);
  const std::uint32_t sign = bits & 1 ? sign_bit : 0;
  return bits >> 1 & 63 ? sign : sign | score(row.uniform(i, 1));
}

// ---- ranges of magnitude

std::uint32_t tiny(const Row& row, std::int64_t i) { return score(1e-16 * row.normal(i)); }

std::uint32_t large(const Row& row, std::int64_t i) { return score(1e5 + 99999 * row.uniform(i)); }

std::uint32_t offset(const Row& row, std::int64_t i) {
  const auto mean = static_cast<double>(4 << row.index() % 9);
  return score(mean + row.normal(i));
}

std::uint32_t beyond_half(const Row& row, std::int64_t i) {
  const double magnitude = 65536 + 934464 * row.uniform(i);
  return score(row.bits(i, 1) & 1 ? magnitude : -magnitude);
}

std::uint32_t denormal(const Row& row, std::int64_t i) {
  const std::uint64_t bits = row.bits(i);
  const std::uint32_t sign = bits & 1 ? sign_bit : 0;
  if (row.index() % 2 == 0) return sign | static_cast<std::uint32_t>(bits >> 41);
  return sign | score(static_cast<double>(bits >> 54) * 0x1p-24);
}

std::uint32_t random_bits(const Row& row, std::int64_t i) { return static_cast<std::uint32_t>(row.bits(i)); }

// ---- special values

std::uint32_t infinities(const Row& row, std::int64_t i) {
  if (i < (row.width() + 31) / 32) return plus_infinity;
  switch (row.bits(i, 2) % 64) {
    case 0:
      return plus_infinity;
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      return minus_infinity;
    default:
      return normal(row, i);
  }
}

std::uint32_t mostly_infinite(const Row& row, std::int64_t i) {
  return row.bits(i, 2) % 4 == 0 ? normal(row, i) : plus_infinity;
}

std::uint32_t mostly_masked(const Row& row, std::int64_t i) {
  return picked(row, i, 600) ? normal(row, i) : minus_infinity;
}

std::uint32_t nan(const Row& row, std::int64_t i) {
  constexpr std::array<std::uint32_t, 5> numbers_per_thousand{170, 100, 30, 5, 0};
  if (row.below(1000, i, 2) < numbers_per_thousand[row.index() % numbers_per_thousand.size()]) return normal(row, i);
  const std::uint32_t sign_and_payload = static_cast<std::uint32_t>(row.bits(i, 3)) & 0x807fffffu;
  return plus_infinity | std::max(sign_and_payload, (sign_and_payload & sign_bit) + 1);
}

// ---- order and place: aimed at sampled and running thresholds

std::uint32_t sorted(const Row& row, std::int64_t i) {
  return score((static_cast<double>(i) + row.uniform(i)) / static_cast<double>(row.width()));
}

std::uint32_t reverse(const Row& row, std::int64_t i) { return sorted(row, row.width() - 1 - i); }

std::uint32_t hot(const Row& row, std::int64_t i, bool is_hot) { return score(row.normal(i) + (is_hot ? 16 : 0)); }

std::uint32_t hot_stripes(const Row& row, std::int64_t i) { return hot(row, i, i / 64 % 16 == 5); }

std::uint32_t hot_tail(const Row& row, std::int64_t i) { return hot(row, i, i >= row.width() - row.width() / 16); }

std::uint32_t hot_sectors(const Row& row, std::int64_t i) { return hot(row, i, row.bits(i / 8, 4) % 32 == 0); }

// The first 8 scores of every 32, 64, ..., 1024, by row: where a sample of 32-byte sectors at a stride looks.
bool sampled(const Row& row, std::int64_t i) { return i % (32 << row.index() % 6) < 8; }

std::uint32_t sample_bait(const Row& row, std::int64_t i) { return hot(row, i, sampled(row, i)); }

std::uint32_t sample_shadow(const Row& row, std::int64_t i) { return hot(row, i, !sampled(row, i)); }

template <std::uint32_t (*at)(const Row&, std::int64_t)>
void fill(const Row& row, std::int64_t first, std::span<std::uint32_t> out) {
  for (std::uint32_t& bits : out) bits = at(row, first++);
}

constexpr std::array table{
    Recipe{{"normal", "normal with mean 0 and deviation 1"}, fill<normal>},
    Recipe{{"relu", "weighted sum of 4 ReLUs: half of the row is exactly 0.0, the plateau of an indexer"}, fill<relu>},
    Recipe{{"decode_like", "low noise, passages on topic, rare spikes, hot recent end: a decoding step"},
           fill<decode_like>},
    Recipe{{"sinks", "+inf at the first 4 positions, a hot last 1/64: forced tokens and a recent window"}, fill<sinks>},
    Recipe{{"fp8", "normal, rounded to fp8 e4m3: hundreds of ties at the k-th"}, fill<fp8>},
    Recipe{{"banded", "uniform in [1.0, 1.245): a few coarse bins hold everything"}, fill<banded>},
    Recipe{{"narrow", "equal but for the 10 lowest bits: every coarse bin collapses"}, fill<narrow>},
    Recipe{{"equal", "one value: position alone decides"}, fill<equal>},
    Recipe{{"levels", "8 values: ties everywhere"}, fill<levels>},
    Recipe{{"few_winners", "100 scores above 1, the others exactly 0.0: fewer winners than k"}, fill<few_winners>},
    Recipe{{"zeros", "+0.0 and -0.0, which are equal, and 1 in 64 beside zero"}, fill<zeros>},
    Recipe{{"tiny", "1e-16 x normal: 0 in f16"}, fill<tiny>},
    Recipe{{"large", "uniform in [1e5, 2e5): infinite in f16"}, fill<large>},
    Recipe{{"offset", "normal around 4, 8, ..., 1024, by row: few bits tell scores apart"}, fill<offset>},
    Recipe{{"beyond_half", "magnitudes from 65536 to 1e6, of both signs: past f16 at both ends"}, fill<beyond_half>},
    Recipe{{"denormal", "denormals of f32 (even rows) and f16 (odd rows), of both signs"}, fill<denormal>},
    Recipe{{"random_bits", "any 32 bits: every exponent, infinities and NaNs"}, fill<random_bits>},
    Recipe{{"infinities", "+inf in the first 1/32 and 1/64 elsewhere, 7/64 masked with -inf, the rest normal"},
           fill<infinities>},
    Recipe{{"mostly_infinite", "3/4 +inf: more than k"}, fill<mostly_infinite>},
    Recipe{{"mostly_masked", "600 numbers, the others -inf: fewer numbers than k"}, fill<mostly_masked>},
    Recipe{{"nan", "83 to 100 % NaN by row, of both signs and any payload"}, fill<nan>},
    Recipe{{"sorted", "ascending: every score beats all before it"}, fill<sorted>},
    Recipe{{"reverse", "descending: the first k win"}, fill<reverse>},
    Recipe{{"hot_stripes", "high in one 64-column stripe of 16"}, fill<hot_stripes>},
    Recipe{{"hot_tail", "high in the last 1/16: what came first tells nothing"}, fill<hot_tail>},
    Recipe{{"hot_sectors", "high in 1 of 32 hashed 8-column sectors: sampled sectors mislead"}, fill<hot_sectors>},
    Recipe{{"sample_bait", "high only in the first 8 columns of every 32 to 1024: a strided sample sees all the best"},
           fill<sample_bait>},
    Recipe{{"sample_shadow", "high everywhere else: a strided sample sees none of the best"}, fill<sample_shadow>},
};

}  // namespace

std::span<const Recipe> recipes() { return table; }

}  // namespace tamis::workload
