// One row's scores as the verifier sees them: each as a rank, a signed integer in the contract's order. A rank is the
// magnitude of the score's bits under its sign, so -0.0 and +0.0 fall together without a rule of their own; all NaNs
// get one rank beyond an infinity. Nothing here is shared with select.
#pragma once

#include <cstdint>

#include "tamis/tamis.hpp"

namespace tamis::verifier {

using Rank = std::int32_t;

class RowScores {
 public:
  // `first` is the score at position 0.
  RowScores(const void* first, ScoreType type, Nan nan) : first_(first), type_(type), nan_(nan) {}

  std::uint32_t bits(std::int64_t position) const;
  double value(std::int64_t position) const;
  Rank rank(std::int64_t position) const { return rank_of(bits(position)); }
  Rank rank_of(std::uint32_t bits) const;

  // How many positions of [begin, end) rank above `rank`; the one pass over the row.
  std::int64_t count_above(std::int64_t begin, std::int64_t end, Rank rank) const;

  // The bits of -inf, which pad the scores of a row.
  std::uint32_t minus_infinity() const;

 private:
  const void* first_;
  ScoreType type_;
  Nan nan_;
};

// The bits of score i of an array, and the number they stand for.
std::uint32_t score_bits(const void* scores, ScoreType type, std::int64_t i);
double score_value(std::uint32_t bits, ScoreType type);

}  // namespace tamis::verifier
