// The exact rank-th greatest key, by narrowing the range of keys that it may lie in. The range comes from a few of the
// keys, so that a handful of passes over ever fewer keys is the rule. A pass that leaves more than half of them, as
// where they crowd at few values, is followed by one that halves the distance of the least and the greatest, which can
// be 32 times. A pass extracts what it hopes for at once; where the key is not among it, the keys as they were are read
// again. Included by kernels.cpp once per instruction set.

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

constexpr Extent all_keys{INT32_MIN, INT32_MAX};

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

// A few keys, each ranked by comparing it with all of them: no branch depends on a key.
constexpr std::int64_t few = 32;

class Ranked {
 public:
  HWY_INLINE Ranked(const std::int32_t* HWY_RESTRICT keys, std::int64_t count) : keys_(keys), count_(count) {
    const Keys d;
    for (std::int64_t v = 0; v < count; v += static_cast<std::int64_t>(hn::Lanes(d))) {
      const auto own = hn::LoadU(d, keys + v);
      auto above = hn::Zero(d);
      for (std::int64_t i = 0; i < count; ++i)
        above = hn::Sub(above, hn::VecFromMask(d, hn::Gt(hn::Set(d, keys[i]), own)));
      hn::StoreU(above, d, above_ + v);
    }
  }

  // The rank-th greatest: the least of the keys that fewer than `rank` are above.
  HWY_INLINE Threshold at(std::int64_t rank) const {
    const Keys d;
    auto least = hn::Set(d, INT32_MAX), most_above = hn::Zero(d);
    for (std::int64_t v = 0; v < count_; v += static_cast<std::int64_t>(hn::Lanes(d))) {
      const auto above = hn::LoadU(d, above_ + v);
      const auto among = hn::And(hn::Lt(above, hn::Set(d, static_cast<std::int32_t>(rank))), hn::FirstN(d, count_ - v));
      least = hn::Min(least, hn::IfThenElse(among, hn::LoadU(d, keys_ + v), hn::Set(d, INT32_MAX)));
      most_above = hn::Max(most_above, hn::IfThenElseZero(among, above));
    }
    return {hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, most_above))};
  }

 private:
  const std::int32_t* keys_;
  std::int64_t count_;
  std::int32_t above_[few + hn::MaxLanes(Keys())];
};

// Where the rank-th key is expected: between two keys of an even sample, some standard deviations of its rank away.
HWY_INLINE Extent bracket(const std::int32_t* HWY_RESTRICT keys, std::int64_t count, std::int64_t rank) {
  constexpr std::int64_t margin = 4;
  std::int32_t picks[few + hn::MaxLanes(Keys())];
  for (std::int64_t i = 0; i < few; ++i) picks[i] = keys[count * i / few];
  const Ranked ranked(picks, few);
  const std::int64_t expected = rank * few / count;
  const std::int64_t better = expected - margin, worse = expected + 1 + margin;
  return {worse > few ? all_keys.least : ranked.at(worse).key, better < 1 ? all_keys.greatest : ranked.at(better).key};
}

// The upper half of the extent.
HWY_INLINE Extent upper_half(Extent range) {
  const std::uint32_t gap = static_cast<std::uint32_t>(range.greatest) - static_cast<std::uint32_t>(range.least);
  return {static_cast<std::int32_t>(static_cast<std::uint32_t>(range.least) + gap / 2 + 1), range.greatest};
}

struct Extracted {
  std::int64_t kept;
  std::int64_t above;  // how many are above the range
};

// Copies the keys within the range to `to`, which may be `keys` itself.
HWY_INLINE Extracted extract(const std::int32_t* keys, std::int64_t count, Extent range, std::int32_t* to) {
  const Keys d;
  const auto least = hn::Set(d, range.least), greatest = hn::Set(d, range.greatest);
  auto above = hn::Zero(d);
  std::int64_t kept = 0;
  each_vector(keys, count, [&](auto v, auto valid) HWY_ATTR {
    const auto greater = within(hn::Gt(v, greatest), valid);
    const auto mask = within(hn::Not(hn::Or(hn::Lt(v, least), greater)), valid);
    hn::StoreU(hn::Compress(v, mask), d, to + kept);
    kept += hn::CountTrue(d, mask);
    above = hn::Sub(above, hn::VecFromMask(d, greater));
  });
  return {kept, static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, above)))};
}

// A range that splits the keys well: by their ranks, or, where that did not help, by their values.
enum class Split { ranks, values };

HWY_INLINE Extent split(const std::int32_t* keys, std::int64_t count, std::int64_t rank, Split by) {
  if (by == Split::ranks) return bracket(keys, count, rank);
  const Extent range = extent(keys, count);
  return range.least < range.greatest ? upper_half(range) : range;
}

HWY_INLINE Extent overlap(Extent a, Extent b) { return {std::max(a.least, b.least), std::min(a.greatest, b.greatest)}; }

Threshold narrow(const std::int32_t* all, std::int64_t all_count, std::int64_t rank, std::int32_t* spare) {
  // What is left: the keys of `all` that lie within the bounds, which `dropped` keys are above.
  const std::int32_t* keys = all;
  std::int64_t count = all_count, dropped = 0;
  Extent bounds = all_keys;
  for (Split by = Split::ranks; count > few;) {
    Extent range = overlap(split(keys, count, rank - dropped, by), bounds);
    auto [left, above] = extract(keys, count, range, spare);
    const bool higher = rank - dropped <= above, lower = rank - dropped > above + left;
    if (!higher && !lower && range.least == range.greatest) return {range.least, dropped + above};
    if (higher || lower) {
      range = higher ? Extent{range.greatest + 1, bounds.greatest} : Extent{bounds.least, range.least - 1};
      above = higher ? 0 : above + left;
      left = extract(all, all_count, range, spare).kept;
    }
    by = by == Split::ranks && 2 * left > count ? Split::values : Split::ranks;
    keys = spare;
    count = left;
    dropped += above;
    bounds = range;
  }
  const Threshold last = Ranked(keys, count).at(rank - dropped);
  return {last.key, dropped + last.above};
}
