// A pattern is a function of (random bits, position, length): one kernel instance each, listed once at the bottom.

#include <cmath>
#include <stdexcept>

#include "cuda.hpp"
#include "scores.hpp"

namespace tamis::bench {
namespace {

// Independent draws for one element, by a counter-based hash.
struct Random {
  std::uint64_t state;

  __device__ std::uint32_t bits() {
    state += 0x9E3779B97F4A7C15ull;
    std::uint64_t x = state;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return static_cast<std::uint32_t>((x ^ (x >> 31)) >> 16);
  }
  __device__ float uniform() { return (bits() >> 8) * (1.0f / 16777216.0f); }
  __device__ float normal() {
    const float radius = sqrtf(-2.0f * logf(((bits() >> 8) + 0.5f) * (1.0f / 16777216.0f)));
    return radius * cospif(2.0f * uniform());
  }
};

struct Place {
  std::int64_t position;
  std::int64_t length;
};

struct Normal {
  __device__ float operator()(Random& r, Place) const { return r.normal(); }
};
struct Banded {  // nine tenths within one part in 128 of each other: one fp16 bin or a few
  __device__ float operator()(Random& r, Place) const {
    const bool in_band = r.uniform() < 0.9f;
    return in_band ? 100.0f * (1.0f + r.uniform() / 128.0f) : r.normal();
  }
};
struct Narrow {  // all within one part in 10,000
  __device__ float operator()(Random& r, Place) const { return 1.0f + 0.0001f * r.uniform(); }
};
struct Equal {
  __device__ float operator()(Random&, Place) const { return 1.5f; }
};
struct DecodeLike {  // sums of ReLUs over heads, a sink at the start and a hot recent tail
  __device__ float operator()(Random& r, Place p) const {
    float sum = 0.0f;
    for (int head = 0; head < 4; ++head) sum += fmaxf(r.normal() - 0.5f, 0.0f);
    const bool favoured = p.position < 4 || p.length - p.position <= 64;
    return favoured ? sum + 4.0f : sum;
  }
};
struct Plateau {  // 60 % exact zeros, the rest log-normal
  __device__ float operator()(Random& r, Place) const { return r.uniform() < 0.6f ? 0.0f : expf(r.normal()); }
};
struct ZeroPlateau {  // fewer positives than k: the threshold lies in the zeros of both signs
  __device__ float operator()(Random& r, Place) const {
    const float u = r.uniform();
    return u < 0.005f ? r.uniform() : u < 0.5f ? -0.0f : 0.0f;
  }
};
struct Levels {
  __device__ float operator()(Random& r, Place) const { return static_cast<float>(r.bits() & 7u) - 3.0f; }
};
struct Quantised {
  __device__ float operator()(Random& r, Place) const { return floorf(r.normal() * 64.0f) / 64.0f; }
};
struct Ascending {
  __device__ float operator()(Random&, Place p) const { return static_cast<float>(p.position); }
};
struct Descending {
  __device__ float operator()(Random&, Place p) const { return -static_cast<float>(p.position); }
};
struct Tiny {
  __device__ float operator()(Random& r, Place) const { return 1e-16f * r.normal(); }
};
struct Large {
  __device__ float operator()(Random& r, Place) const { return 1e5f * (1.0f + r.uniform()); }
};
struct Infinite {  // half masked, three tenths forced
  __device__ float operator()(Random& r, Place) const {
    const float u = r.uniform();
    return u < 0.5f ? -INFINITY : u < 0.8f ? INFINITY : r.normal();
  }
};
struct MostlyMasked {  // fewer finite scores than k
  __device__ float operator()(Random& r, Place p) const {
    return r.uniform() * static_cast<float>(p.length) < 1000.0f ? r.normal() : -INFINITY;
  }
};
struct SomeNan {
  __device__ float operator()(Random& r, Place) const { return r.uniform() < 0.01f ? NAN : r.normal(); }
};
struct AnyBits {  // every float there is, NaN and denormals included
  __device__ float operator()(Random& r, Place) const { return __uint_as_float(r.bits()); }
};
struct HotTail {
  __device__ float operator()(Random& r, Place p) const {
    return p.length - p.position <= 3000 ? r.normal() + 8.0f : r.normal();
  }
};
struct HotStripes {
  __device__ float operator()(Random& r, Place p) const {
    return p.position % 4096 < 64 ? r.normal() + 5.0f : r.normal();
  }
};

template <class Pattern>
__global__ void fill(float* scores, std::int64_t rows, std::int64_t length, std::int64_t stride, std::uint64_t seed) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * length;
       i += step) {
    const std::int64_t row = i / length;
    Random random{(seed << 44) + static_cast<std::uint64_t>(i) * 16};
    random.state *= 0xD6E8FEB86659FD93ull;
    scores[row * stride + i % length] = Pattern{}(random, {i % length, length});
  }
}

using Fill = void (*)(float*, std::int64_t, std::int64_t, std::int64_t, std::uint64_t);
struct Entry {
  const char* name;
  Fill fill;
};
constexpr Entry entries[] = {
    {"normal", fill<Normal>},
    {"banded", fill<Banded>},
    {"equal", fill<Equal>},
    {"narrow", fill<Narrow>},
    {"decode_like", fill<DecodeLike>},
    {"plateau", fill<Plateau>},
    {"zero_plateau", fill<ZeroPlateau>},
    {"levels", fill<Levels>},
    {"quantised", fill<Quantised>},
    {"ascending", fill<Ascending>},
    {"descending", fill<Descending>},
    {"tiny", fill<Tiny>},
    {"large", fill<Large>},
    {"infinite", fill<Infinite>},
    {"mostly_masked", fill<MostlyMasked>},
    {"some_nan", fill<SomeNan>},
    {"any_bits", fill<AnyBits>},
    {"hot_tail", fill<HotTail>},
    {"hot_stripes", fill<HotStripes>},
};

}  // namespace

std::vector<std::string> score_patterns() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

void generate_scores(const std::string& pattern, std::uint64_t seed, float* scores, std::int64_t rows,
                     std::int64_t length, std::int64_t stride, cudaStream_t stream) {
  for (const Entry& entry : entries) {
    if (pattern != entry.name) continue;
    entry.fill<<<2048, 256, 0, stream>>>(scores, rows, length, stride, seed);
    TAMIS_REQUIRE(cudaGetLastError());
    return;
  }
  throw std::invalid_argument("scores: \"" + pattern + "\" is no pattern of this benchmark");
}

}  // namespace tamis::bench
