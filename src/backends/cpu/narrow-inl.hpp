// The exact rank-th greatest key, by halving the range of keys that it may lie in. A counting pass costs a compare a
// vector and at most 32 are needed, whatever the keys are: no pivot that an input could choose badly.
// Included by kernels.cpp once per instruction set.

// Calls body(vector, mask of its valid lanes) for all of keys; the last vector may reach into the slack.
template <class Body>
HWY_INLINE void each_vector(const std::int32_t* HWY_RESTRICT keys, std::int64_t count, Body body) {
  const Keys d;
  const std::int64_t lanes = hn::Lanes(d);
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(hn::LoadU(d, keys + i), hn::FirstN(d, lanes));
  if (i < count) body(hn::LoadU(d, keys + i), hn::FirstN(d, count - i));
}

struct Extent {
  std::int32_t least;
  std::int32_t greatest;
};

HWY_INLINE Extent extent(const std::int32_t* keys, std::int64_t count) {
  const Keys d;
  auto least = hn::Set(d, keys[0]), greatest = least;
  const auto first = least;
  each_vector(keys, count, [&](auto v, auto valid) HWY_ATTR {
    v = hn::IfThenElse(valid, v, first);
    least = hn::Min(least, v);
    greatest = hn::Max(greatest, v);
  });
  return {hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, greatest))};
}

// Counts the keys of at least `key`, which is not the least integer.
HWY_INLINE std::int64_t count_at_least(const std::int32_t* keys, std::int64_t count, std::int32_t key) {
  const Keys d;
  const auto bound = hn::Set(d, key - 1);
  auto sum = hn::Zero(d);
  each_vector(keys, count, [&](auto v, auto valid) HWY_ATTR {
    sum = hn::Sub(sum, hn::VecFromMask(d, hn::And(hn::Gt(v, bound), valid)));
  });
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, sum)));
}

// Copies the keys within [least, greatest] to `to`, which may be `keys` itself.
HWY_INLINE std::int64_t extract(const std::int32_t* keys, std::int64_t count, Extent within, std::int32_t* to) {
  const Keys d;
  const auto least = hn::Set(d, within.least), greatest = hn::Set(d, within.greatest);
  std::int64_t kept = 0;
  each_vector(keys, count, [&](auto v, auto valid) HWY_ATTR {
    const auto mask = hn::AndNot(hn::Or(hn::Lt(v, least), hn::Gt(v, greatest)), valid);
    hn::StoreU(hn::Compress(v, mask), d, to + kept);
    kept += hn::CountTrue(d, mask);
  });
  return kept;
}

Threshold narrow(const std::int32_t* keys, std::int64_t count, std::int64_t rank, std::int32_t* spare) {
  Extent range = extent(keys, count);
  std::int64_t reaching = count;  // keys >= range.least
  std::int64_t above = 0;         // keys > range.greatest
  std::int64_t dropped = 0;       // keys that were above when the array was last shrunk
  while (range.least < range.greatest) {
    const std::uint32_t gap = static_cast<std::uint32_t>(range.greatest) - static_cast<std::uint32_t>(range.least);
    const auto middle = static_cast<std::int32_t>(static_cast<std::uint32_t>(range.least) + gap / 2 + 1);
    const std::int64_t upper = dropped + count_at_least(keys, count, middle);
    if (upper >= rank) {
      range.least = middle;
      reaching = upper;
    } else {
      range.greatest = middle - 1;
      above = upper;
    }
    if (2 * (reaching - above) > count) continue;
    count = extract(keys, count, range, spare);
    keys = spare;
    dropped = above;
  }
  return {range.least, above};
}
