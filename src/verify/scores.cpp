// Ranks of scores, and the counting pass over a row, written so that compilers vectorise it.

#include "verify/scores.hpp"

#include <algorithm>
#include <bit>

namespace tamis::verifier {
namespace {

template <class Word, Word infinity_bits>
struct Format {
  using Bits = Word;
  static constexpr Word infinity = infinity_bits;
  static constexpr Word sign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
};
using F32 = Format<std::uint32_t, 0x7f800000u>;
using F16 = Format<std::uint16_t, 0x7c00>;
using BF16 = Format<std::uint16_t, 0x7f80>;

// Calls visit with the format of `type`.
template <class Visit>
auto with_format(ScoreType type, Visit visit) {
  switch (type) {
    case ScoreType::f16:
      return visit(F16{});
    case ScoreType::bf16:
      return visit(BF16{});
    default:
      return visit(F32{});
  }
}

template <class F>
Rank rank_in(F, typename F::Bits bits, Rank nan_rank) {
  const Rank magnitude = static_cast<Rank>(bits & static_cast<typename F::Bits>(~F::sign));
  const Rank signed_rank = (bits & F::sign) != 0 ? -magnitude : magnitude;
  return magnitude > static_cast<Rank>(F::infinity) ? nan_rank : signed_rank;
}

template <class F>
Rank nan_rank(F, Nan nan) {
  const Rank beyond = static_cast<Rank>(F::infinity) + 1;
  return nan == Nan::highest ? beyond : -beyond;
}

// A 32-bit sum over a bounded piece, so that the loop needs no wider lanes.
constexpr std::int64_t piece = std::int64_t{1} << 20;

template <class F>
std::int64_t count_in(F format, const typename F::Bits* scores, std::int64_t count, Rank rank, Rank nan) {
  std::int64_t total = 0;
  for (std::int64_t done = 0; done < count; done += piece) {
    const std::int64_t end = std::min(count, done + piece);
    std::int32_t sum = 0;
    for (std::int64_t i = done; i < end; ++i) sum += rank_in(format, scores[i], nan) > rank ? 1 : 0;
    total += sum;
  }
  return total;
}

}  // namespace

std::uint32_t score_bits(const void* scores, ScoreType type, std::int64_t i) {
  return with_format(type, [&](auto format) {
    return static_cast<std::uint32_t>(static_cast<const typename decltype(format)::Bits*>(scores)[i]);
  });
}

double score_value(std::uint32_t bits, ScoreType type) {
  if (type == ScoreType::f16) return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
  return std::bit_cast<float>(type == ScoreType::bf16 ? bits << 16 : bits);
}

std::uint32_t RowScores::bits(std::int64_t position) const { return score_bits(first_, type_, position); }

double RowScores::value(std::int64_t position) const { return score_value(bits(position), type_); }

Rank RowScores::rank_of(std::uint32_t bits) const {
  return with_format(type_, [&](auto format) {
    return rank_in(format, static_cast<typename decltype(format)::Bits>(bits), nan_rank(format, nan_));
  });
}

std::int64_t RowScores::count_above(std::int64_t begin, std::int64_t end, Rank rank) const {
  return with_format(type_, [&](auto format) {
    const auto* scores = static_cast<const typename decltype(format)::Bits*>(first_);
    return count_in(format, scores + begin, end - begin, rank, nan_rank(format, nan_));
  });
}

std::uint32_t RowScores::minus_infinity() const {
  return with_format(type_, [](auto format) {
    return static_cast<std::uint32_t>(decltype(format)::sign | decltype(format)::infinity);
  });
}

}  // namespace tamis::verifier
