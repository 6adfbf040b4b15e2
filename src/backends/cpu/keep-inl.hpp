// Settling: candidates above the threshold stay, and of those equal to it the first ones. Candidates stand in ascending
// position, so "first" is the lower position and what stays is already in the order of the output.
// Included by kernels.cpp once per instruction set.

// The index after the `ties`-th candidate that equals the threshold.
HWY_INLINE std::int64_t end_of_ties(const std::int32_t* keys, std::int64_t count, std::int32_t key, std::int64_t ties) {
  const Keys d;
  const std::int64_t lanes = hn::Lanes(d);
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const std::int64_t equal = hn::CountTrue(d, hn::Eq(hn::LoadU(d, keys + i), hn::Set(d, key)));
    if (equal >= ties) break;
    ties -= equal;
  }
  for (; ties > 0; ++i) ties -= keys[i] == key;
  return i;
}

// Moves the candidates of [begin, end) whose key is at_least or more to `kept`; returns the index after them. In place:
// a whole vector's store reaches no further than the vector just loaded, and the last one stores what it keeps only.
HWY_INLINE std::int64_t move_passing(const Candidates& candidates, std::int64_t begin, std::int64_t end,
                                     std::int32_t at_least, std::int64_t kept) {
  const Keys d;
  const std::int64_t lanes = hn::Lanes(d);
  const auto bound = hn::Set(d, at_least - 1);
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    const auto keys = hn::LoadU(d, candidates.keys + i);
    const auto mask = hn::Gt(keys, bound);
    hn::StoreU(hn::Compress(hn::LoadU(d, candidates.positions + i), mask), d, candidates.positions + kept);
    hn::StoreU(hn::Compress(keys, mask), d, candidates.keys + kept);
    kept += hn::CountTrue(d, mask);
  }
  if (i >= end) return kept;
  const auto keys = hn::LoadU(d, candidates.keys + i);
  const auto mask = hn::And(hn::Gt(keys, bound), hn::FirstN(d, end - i));
  hn::CompressBlendedStore(hn::LoadU(d, candidates.positions + i), mask, d, candidates.positions + kept);
  return kept + hn::CompressBlendedStore(keys, mask, d, candidates.keys + kept);
}

std::int64_t keep(const Candidates& candidates, Threshold threshold, std::int64_t ties) {
  const std::int64_t end = end_of_ties(candidates.keys, candidates.count, threshold.key, ties);
  const std::int64_t kept = move_passing(candidates, 0, end, threshold.key, 0);
  return move_passing(candidates, end, candidates.count, threshold.key + 1, kept);
}
