// One pass against a threshold guessed from a sample. Candidates that outgrow their buffer are settled, which raises
// the threshold to a proven one. A guess was right when n candidates reach it; otherwise the row is read again.

#include "backends/cpu/refine.hpp"

#include <algorithm>

#include "backends/cpu/sample.hpp"

namespace tamis::detail::cpu {
namespace {

constexpr std::uint32_t no_guess = 0;

// Rows whose sample misled are guessed anew from what is left of them, but not for ever.
constexpr int most_guesses = 3;

// Streams the stretch and leaves n candidates or fewer. Returns whether they are the n best: whatever a guess rejected
// is below it, so that is so when the n-th best candidate reaches every guess.
bool stream(const Stretch& stretch, std::int64_t n, std::uint32_t seed, const KeyRule& rule, Candidates& candidates) {
  int guesses_left = seed == no_guess ? 0 : most_guesses;
  std::int32_t guessed = any_key, proven = any_key;
  candidates.count = 0;
  for (std::int64_t next = 0;;) {
    // A guess that is itself the n-th best so far sits on a plateau: another would find the same.
    if (proven == any_key || proven > guessed + 1) {
      if (guesses_left-- > 0) guessed = std::max(guessed, guess_threshold(stretch, next, n, seed, rule, candidates));
    }
    next = kernels().filter(stretch, next, std::max(guessed, proven), rule, candidates);
    if (next == stretch.length) return candidates.count >= n && settle(candidates, n) >= guessed;
    // Later positions lose ties: from here on only a greater key can matter.
    proven = settle(candidates, n) + 1;
    if (proven > best_key(rule)) return true;
  }
}

}  // namespace

void select_best(const Stretch& stretch, std::int64_t n, const KeyRule& rule, Candidates& candidates) {
  if (stream(stretch, n, 1, rule, candidates)) return;
  if (stream(stretch, n, 2, rule, candidates)) return;
  stream(stretch, n, no_guess, rule, candidates);
}

std::int32_t settle(Candidates& candidates, std::int64_t n) {
  const Threshold threshold = kernels().narrow(candidates.keys, candidates.count, n, candidates.spare_keys);
  candidates.count = kernels().keep(candidates, threshold, n - threshold.above);
  return threshold.key;
}

}  // namespace tamis::detail::cpu
