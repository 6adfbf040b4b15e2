// The exact rank-th greatest key, by narrowing the range of keys that it may lie in. A counting pass costs one compare
// a vector. Every other pass halves the range, so that 64 passes are enough whatever the keys are; those between try a
// key of the array, which is closer where keys crowd.
// Included by kernels.cpp once per instruction set.

struct Everywhere {};

template <class Mask>
HWY_INLINE Mask within(Mask mask, Everywhere) {
  return mask;
}
template <class Mask>
HWY_INLINE Mask within(Mask mask, Mask valid) {
  return hn::And(mask, valid);
}

// Calls body(vector, valid lanes) for all of keys; the last vector may reach into the slack.
template <class Body>
HWY_INLINE void each_vector(const std::int32_t* HWY_RESTRICT keys, std::int64_t count, Body body) {
  const Keys d;
  const std::int64_t lanes = hn::Lanes(d);
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(hn::LoadU(d, keys + i), Everywhere{});
  if (i < count) body(hn::LoadU(d, keys + i), hn::FirstN(d, count - i));
}

struct Extent {
  std::int32_t least;
  std::int32_t greatest;
};

HWY_INLINE Extent extent(const std::int32_t* keys, std::int64_t count) {
  const Keys d;
  const std::int64_t lanes = hn::Lanes(d);
  auto least = hn::Set(d, keys[0]), greatest = least;
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(d, keys + i);
    least = hn::Min(least, v);
    greatest = hn::Max(greatest, v);
  }
  Extent result{hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, greatest))};
  for (; i < count; ++i) result = {std::min(result.least, keys[i]), std::max(result.greatest, keys[i])};
  return result;
}

// Counts the keys of at least `key`, which is not the least integer.
HWY_INLINE std::int64_t count_reaching(const std::int32_t* keys, std::int64_t count, std::int32_t key) {
  const Keys d;
  const auto below = hn::Set(d, key - 1);
  auto sum = hn::Zero(d);
  each_vector(keys, count, [&](auto v, auto valid) HWY_ATTR {
    sum = hn::Sub(sum, hn::VecFromMask(d, within(hn::Gt(v, below), valid)));
  });
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, sum)));
}

// Copies the keys within the range to `to`, which may be `keys` itself.
HWY_INLINE std::int64_t extract(const std::int32_t* keys, std::int64_t count, Extent range, std::int32_t* to) {
  const Keys d;
  const auto least = hn::Set(d, range.least), greatest = hn::Set(d, range.greatest);
  std::int64_t kept = 0;
  each_vector(keys, count, [&](auto v, auto valid) HWY_ATTR {
    const auto mask = within(hn::Not(hn::Or(hn::Lt(v, least), hn::Gt(v, greatest))), valid);
    hn::StoreU(hn::Compress(v, mask), d, to + kept);
    kept += hn::CountTrue(d, mask);
  });
  return kept;
}

// The middle of the range, rounded up: above its least key.
HWY_INLINE std::int32_t halfway(Extent range) {
  const std::uint32_t gap = static_cast<std::uint32_t>(range.greatest) - static_cast<std::uint32_t>(range.least);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(range.least) + gap / 2 + 1);
}

// Of five of the keys the one that stands where the wanted key is expected, `share` of the way down. A value that many
// keys share is met at once, and the pass after that tells it from the next greater.
HWY_INLINE std::int32_t probed(const std::int32_t* keys, std::int64_t count, Extent range, double share) {
  constexpr int probes = 5;
  std::int32_t picks[probes];
  for (int i = 0; i < probes; ++i) picks[i] = keys[count * (2 * i + 1) / (2 * probes)];
  std::sort(picks, picks + probes, std::greater<>());
  return std::clamp(picks[static_cast<int>(share * (probes - 1) + 0.5)], range.least + 1, range.greatest);
}

Threshold narrow(const std::int32_t* keys, std::int64_t count, std::int64_t rank, std::int32_t* spare) {
  Extent range = extent(keys, count);
  std::int64_t reaching = count;  // keys of at least range.least
  std::int64_t above = 0;         // keys greater than range.greatest
  std::int64_t dropped = 0;       // keys that were above when the array was last shrunk
  for (bool probing = true; range.least < range.greatest; probing = !probing) {
    const double share = static_cast<double>(rank - above) / static_cast<double>(reaching - above);
    const std::int32_t pivot = probing ? probed(keys, count, range, share) : halfway(range);
    const std::int64_t upper = dropped + count_reaching(keys, count, pivot);
    if (upper >= rank) {
      range.least = pivot;
      reaching = upper;
    } else {
      range.greatest = pivot - 1;
      above = upper;
    }
    if (2 * (reaching - above) > count) continue;
    count = extract(keys, count, range, spare);
    keys = spare;
    dropped = above;
  }
  return {range.least, above};
}
