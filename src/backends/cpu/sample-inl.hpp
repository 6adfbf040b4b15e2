// Keys of scattered chunks of a row, and the row's beginning on its way to the cache while they are refined. Included
// by kernels.cpp once per instruction set.

HWY_INLINE std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

template <class Lane>
void sample_lanes(const Stretch& stretch, std::int64_t begin, std::int64_t chunks, std::uint32_t seed,
                  const KeyRule& rule, std::int32_t* HWY_RESTRICT keys) {
  constexpr std::int64_t chunk = 64 / sizeof(Lane);
  const std::int64_t stratum = (stretch.length - begin) / chunks;
  const KeyRule local = rule;
  for (std::int64_t c = 0; c < chunks; ++c, keys += chunk) {
    const std::uint64_t hash = mixed(static_cast<std::uint32_t>(c) ^ (seed << 24));
    const auto within = static_cast<std::int64_t>((hash * static_cast<std::uint64_t>(stratum / chunk)) >> 32);
    const Lane* HWY_RESTRICT scores = static_cast<const Lane*>(stretch.scores) + begin + c * stratum + within * chunk;
    for (std::int64_t i = 0; i < chunk; ++i) keys[i] = key_of(bits_at(scores, i), local);
  }
  const Lane* next = static_cast<const Lane*>(stretch.scores) + begin;
  for (std::int64_t i = 0; i < prefetch_distance / static_cast<std::int64_t>(sizeof(Lane)); i += chunk)
    hwy::Prefetch(next + i);
}

void sample(const Stretch& stretch, std::int64_t begin, std::int64_t chunks, std::uint32_t seed, const KeyRule& rule,
            std::int32_t* out) {
  if (stretch.type == ScoreType::f32) return sample_lanes<std::int32_t>(stretch, begin, chunks, seed, rule, out);
  sample_lanes<std::int16_t>(stretch, begin, chunks, seed, rule, out);
}
