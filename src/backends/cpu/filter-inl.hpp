// The streaming pass: compare, compress the places that pass, then fetch only those scores again while they are hot.
// Included by kernels.cpp once per instruction set.

// Which scores pass, as one subtraction and one compare. Ordered as signed integers the scores that pass form one
// cyclic range that leaves NaN out (nan = lowest) or in (highest); a threshold above zero needs no reordering at all,
// because then the range is one of the raw bits.
struct Test {
  std::int64_t base;
  std::int64_t limit;
  bool reorder;
};

template <class Lane>
Test make_test(std::int32_t at_least, const KeyRule& rule) {
  constexpr std::int64_t half = std::int64_t{1} << (8 * sizeof(Lane) - 1);
  const std::int64_t last = rule.order == Nan::lowest ? rule.infinity : -std::int64_t{rule.infinity} - 1;
  const std::int64_t span = (last - at_least) & (2 * half - 1);
  return {at_least + half, span + 1 - half, rule.order == Nan::highest || at_least <= 0};
}

// Sign and magnitude as two's complement. (IfNegativeThenElse would say the same, but Highway 1.0.3 selects bits by the
// whole lane on SSSE3: EveryTarget.SelectsExactlyOnEveryPattern.)
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V reordered(D d, V bits) {
  const auto least = hn::Set(d, hwy::LimitsMin<hn::TFromD<D>>());
  return hn::IfThenElse(hn::Lt(bits, hn::Zero(d)), hn::Sub(least, bits), bits);
}

// A score vector's mask of lanes that pass. Reorder is a type so that the loop is compiled for both.
template <class D, class Reorder>
struct Passing {
  using V = hn::VFromD<D>;
  V base, limit;

  HWY_INLINE hn::Mask<D> operator()(D d, V bits) const {
    if constexpr (Reorder::value) bits = reordered(d, bits);
    return hn::Lt(hn::Sub(bits, base), limit);
  }
};

// Bytes ahead of the load that are asked for: the hardware's own prefetching stops at each page and starts late.
constexpr std::int64_t prefetch_distance = 4096;

// Writes the offsets of the passing scores of one block and returns how many there are.
template <class D, class P, class Lane = hn::TFromD<D>>
HWY_INLINE std::int64_t pass_block(D d, const P& passes, const Lane* HWY_RESTRICT scores, std::int64_t length,
                                   Lane* HWY_RESTRICT offsets) {
  const std::int64_t lanes = hn::Lanes(d);
  const auto step = hn::Set(d, static_cast<Lane>(lanes));
  auto offset = hn::Iota(d, Lane{0});
  std::int64_t count = 0, i = 0;
  for (; i + lanes <= length; i += lanes) {
    hwy::Prefetch(scores + i + prefetch_distance / sizeof(Lane));
    const auto mask = passes(d, hn::LoadU(d, scores + i));
    hn::StoreU(hn::Compress(offset, mask), d, offsets + count);
    count += hn::CountTrue(d, mask);
    offset = hn::Add(offset, step);
  }
  if (i == length) return count;
  HWY_ALIGN Lane rest[hn::MaxLanes(d)] = {};
  std::memcpy(rest, scores + i, (length - i) * sizeof(Lane));
  const auto mask = hn::And(passes(d, hn::Load(d, rest)), hn::FirstN(d, length - i));
  hn::StoreU(hn::Compress(offset, mask), d, offsets + count);
  return count + hn::CountTrue(d, mask);
}

template <class Lane>
HWY_INLINE std::uint32_t bits_at(const Lane* scores, std::int64_t i) {
  return static_cast<std::make_unsigned_t<Lane>>(scores[i]);
}

HWY_INLINE hn::VFromD<Keys> keys_of(Keys d, hn::VFromD<Keys> bits, const KeyRule& rule) {
  const auto magnitude = hn::And(bits, hn::Set(d, hwy::LimitsMax<std::int32_t>()));
  const auto key = hn::IfThenElse(hn::Lt(bits, hn::Zero(d)), hn::Neg(magnitude), magnitude);
  return hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, rule.infinity)), hn::Set(d, rule.nan), key);
}

// Fetches the scores at the offsets and appends them. Whole vectors are stored; lanes past the count fetch offset 0.
HWY_INLINE void append(const std::int32_t* HWY_RESTRICT scores, std::int32_t first,
                       const std::int32_t* HWY_RESTRICT offsets, std::int64_t count, const KeyRule& rule,
                       Candidates& candidates) {
  const Keys d;
  const std::int64_t lanes = hn::Lanes(d);
  std::int32_t* keys = candidates.keys + candidates.count;
  std::int32_t* positions = candidates.positions + candidates.count;
  for (std::int64_t i = 0; i < count; i += lanes) {
    const auto valid = hn::FirstN(d, std::min(lanes, count - i));
    const auto offset = hn::IfThenElseZero(valid, hn::Load(d, offsets + i));
    hn::StoreU(keys_of(d, hn::GatherIndex(d, scores, offset), rule), d, keys + i);
    hn::StoreU(hn::Add(offset, hn::Set(d, first)), d, positions + i);
  }
  candidates.count += count;
}

HWY_INLINE void append(const std::int16_t* HWY_RESTRICT scores, std::int32_t first,
                       const std::int16_t* HWY_RESTRICT offsets, std::int64_t count, const KeyRule& rule,
                       Candidates& candidates) {
  std::int32_t* HWY_RESTRICT keys = candidates.keys + candidates.count;
  std::int32_t* HWY_RESTRICT positions = candidates.positions + candidates.count;
  const KeyRule local = rule;
  for (std::int64_t i = 0; i < count; ++i) {
    keys[i] = key_of(bits_at(scores, offsets[i]), local);
    positions[i] = first + offsets[i];
  }
  candidates.count += count;
}

template <class Lane>
HWY_INLINE void append_all(const Lane* HWY_RESTRICT scores, std::int32_t first, std::int64_t count, const KeyRule& rule,
                           Candidates& candidates) {
  std::int32_t* HWY_RESTRICT keys = candidates.keys + candidates.count;
  std::int32_t* HWY_RESTRICT positions = candidates.positions + candidates.count;
  const KeyRule local = rule;
  for (std::int64_t i = 0; i < count; ++i) {
    keys[i] = key_of(bits_at(scores, i), local);
    positions[i] = first + static_cast<std::int32_t>(i);
  }
  candidates.count += count;
}

template <class Lane, class Block>
HWY_INLINE std::int64_t each_block(const Stretch& stretch, std::int64_t begin, const Candidates& candidates,
                                   Block block) {
  for (; begin < stretch.length && candidates.count + filter_block <= candidates.capacity; begin += filter_block)
    block(static_cast<const Lane*>(stretch.scores) + begin, stretch.first + static_cast<std::int32_t>(begin),
          std::min(filter_block, stretch.length - begin));
  return std::min(begin, stretch.length);
}

template <class Lane, class Reorder>
HWY_INLINE std::int64_t filter_passing(const Stretch& stretch, std::int64_t begin, const Test& test,
                                       const KeyRule& rule, Candidates& candidates) {
  const hn::ScalableTag<Lane> d;
  const Passing<decltype(d), Reorder> passes{hn::Set(d, static_cast<Lane>(test.base)),
                                             hn::Set(d, static_cast<Lane>(test.limit))};
  HWY_ALIGN Lane offsets[filter_block + hn::MaxLanes(d)];
  return each_block<Lane>(
      stretch, begin, candidates, [&](const Lane* scores, std::int32_t first, std::int64_t length) HWY_ATTR {
        append(scores, first, offsets, pass_block(d, passes, scores, length, offsets), rule, candidates);
      });
}

template <class Lane>
std::int64_t filter_lanes(const Stretch& stretch, std::int64_t begin, std::int32_t at_least, const KeyRule& rule,
                          Candidates& candidates) {
  const bool all = at_least <= (rule.order == Nan::lowest ? rule.nan : -rule.infinity);
  if (all)
    return each_block<Lane>(stretch, begin, candidates,
                            [&](const Lane* scores, std::int32_t first, std::int64_t length)
                                HWY_ATTR { append_all(scores, first, length, rule, candidates); });
  const Test test = make_test<Lane>(at_least, rule);
  if (test.reorder) return filter_passing<Lane, std::true_type>(stretch, begin, test, rule, candidates);
  return filter_passing<Lane, std::false_type>(stretch, begin, test, rule, candidates);
}

std::int64_t filter(const Stretch& stretch, std::int64_t begin, std::int32_t at_least, const KeyRule& rule,
                    Candidates& candidates) {
  if (stretch.type == ScoreType::f32) return filter_lanes<std::int32_t>(stretch, begin, at_least, rule, candidates);
  return filter_lanes<std::int16_t>(stretch, begin, at_least, rule, candidates);
}
