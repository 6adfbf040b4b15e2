// The first launch of split_row twice: as the library composes it, and by hand. twin_check.py holds the first to the
// second.
#include "flat.hpp"
#include "kernels/split_row.hpp"
#include "simt/kernel.hpp"

TAMIS_ENTRY(composed, 512, 1, 1, tamis::kernels::SplitRow<tamis::ScoreType::f32>)

namespace {

constexpr int threads = 512, warps = 16, bins = 2048, mine = bins / threads, sample_packs = 2 * threads;

struct FlatShared {
  std::uint32_t histogram[bins];
  std::uint32_t warp[32];
  std::uint32_t low, high, remaining, candidates;
};

__device__ __forceinline__ std::uint32_t key_by_hand(std::uint32_t bits, bool nan_highest) {
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return nan_highest ? ~0u : 0u;
  if (magnitude == 0) return 0x80000000u;
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ std::uint32_t scan_warp_by_hand(std::uint32_t sum) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    std::uint32_t next;
    asm volatile(
        "{ .reg .pred p; .reg .u32 below; shfl.sync.up.b32 below|p, %1, %2, 0, 0xffffffff; mov.u32 %0, %1; "
        "@p add.u32 %0, below, %0; }"
        : "=&r"(next)
        : "r"(sum), "r"(distance));
    sum = next;
  }
  return sum;
}

}  // namespace

// A pack of the row, score by score where it hangs over an end of the window.
#define LOAD_PACK(scores, offset, pack)                                                                           \
  const unsigned offset = static_cast<unsigned>(pack) * 4 - lead;                                                 \
  std::uint32_t scores[4] = {};                                                                                   \
  {                                                                                                               \
    const std::uint32_t* from = window + (static_cast<std::int64_t>(pack) * 4 - lead);                            \
    if (offset < span && span - offset >= 4) {                                                                    \
      const uint4 loaded = load_scores_once(from);                                                                \
      scores[0] = loaded.x, scores[1] = loaded.y, scores[2] = loaded.z, scores[3] = loaded.w;                     \
    } else {                                                                                                      \
      _Pragma("unroll") for (int i = 0; i < 4; ++i) if (offset + i < span) scores[i] = load_score_once(from + i); \
    }                                                                                                             \
  }

// Sums `value` over the threads before this one and over the block.
#define SCAN(value, before, total)                                           \
  [[maybe_unused]] std::uint32_t before, total;                              \
  {                                                                          \
    const std::uint32_t through = scan_warp_by_hand(value);                  \
    if (lane == 31) shared.warp[rank / 32] = through;                        \
    __syncthreads();                                                         \
    const std::uint32_t of_warp = lane < warps ? shared.warp[lane] : 0;      \
    const std::uint32_t sums = scan_warp_by_hand(of_warp);                   \
    total = __shfl_sync(~0u, sums, warps - 1);                               \
    const std::uint32_t below = __shfl_sync(~0u, sums - of_warp, rank / 32); \
    __syncthreads();                                                         \
    before = below + through - (value);                                      \
  }

// A digit: the bins are cleared, COUNT adds the candidates to them, and the bin of the last to be taken is found.
#define NARROW(COUNT)                                                                                   \
  while (low != high && remaining != candidates) {                                                      \
    for (int bin = rank; bin < bins; bin += threads) shared.histogram[bin] = 0;                         \
    __syncthreads();                                                                                    \
    const int excess = (high == low ? 0 : 32 - __clz(high - low)) - 11;                                 \
    const int shift = excess > 0 ? excess : 0;                                                          \
    COUNT;                                                                                              \
    __syncthreads();                                                                                    \
    const int top = bins - 1 - rank * mine;                                                             \
    std::uint32_t counts[mine], sum = 0;                                                                \
    _Pragma("unroll") for (int i = 0; i < mine; ++i) {                                                  \
      counts[i] = shared.histogram[top - i];                                                            \
      sum += counts[i];                                                                                 \
    }                                                                                                   \
    SCAN(sum, better, unused);                                                                          \
    if (better < remaining && remaining <= better + sum) {                                              \
      _Pragma("unroll") for (int i = 0; i < mine; ++i) {                                                \
        if (better < remaining && remaining <= better + counts[i]) {                                    \
          const std::uint32_t first = low + (static_cast<std::uint32_t>(top - i) << shift);             \
          const std::uint32_t last = first + ((1u << shift) - 1);                                       \
          shared.low = first;                                                                           \
          shared.high = last < high ? last : high;                                                      \
          shared.remaining = remaining - better;                                                        \
          shared.candidates = counts[i];                                                                \
        }                                                                                               \
        better += counts[i];                                                                            \
      }                                                                                                 \
    }                                                                                                   \
    __syncthreads();                                                                                    \
    low = shared.low, high = shared.high, remaining = shared.remaining, candidates = shared.candidates; \
  }

#define COUNT_KEY(key) \
  if ((key) >= low && (key) <= high) atomicAdd(&shared.histogram[((key)-low) >> shift], 1u)

// VISIT(key) for every score of packs [begin, end), four packs a thread at once.
#define FOR_EACH(VISIT)                                                                                               \
  {                                                                                                                   \
    int pack = begin + rank;                                                                                          \
    for (; pack + 3 * threads < end; pack += 4 * threads) {                                                           \
      LOAD_PACK(a, at_a, pack)                                                                                        \
      LOAD_PACK(b, at_b, pack + threads)                                                                              \
      LOAD_PACK(c, at_c, pack + 2 * threads)                                                                          \
      LOAD_PACK(d, at_d, pack + 3 * threads)                                                                          \
      _Pragma("unroll") for (int i = 0; i < 4; ++i) if (at_a + i < span){                                             \
          VISIT(key_by_hand(a[i], nan_highest))} _Pragma("unroll") for (int i = 0; i < 4; ++i) if (at_b + i < span){  \
          VISIT(key_by_hand(b[i], nan_highest))} _Pragma("unroll") for (int i = 0; i < 4; ++i) if (at_c + i < span){  \
          VISIT(key_by_hand(c[i], nan_highest))} _Pragma("unroll") for (int i = 0; i < 4; ++i) if (at_d + i < span) { \
        VISIT(key_by_hand(d[i], nan_highest))                                                                         \
      }                                                                                                               \
    }                                                                                                                 \
    for (; pack < end; pack += threads) {                                                                             \
      LOAD_PACK(a, at_a, pack)                                                                                        \
      _Pragma("unroll") for (int i = 0; i < 4; ++i) if (at_a + i < span) { VISIT(key_by_hand(a[i], nan_highest)) }    \
    }                                                                                                                 \
  }

extern "C" __global__ void __launch_bounds__(512, 1)
    tamis_flat(const __grid_constant__ tamis::kernels::Arguments arguments) {
  extern __shared__ __align__(128) unsigned char flat_memory[];
  auto& shared = *reinterpret_cast<FlatShared*>(flat_memory);
  const int rank = static_cast<int>(threadIdx.x), lane = rank % 32;
  const std::int64_t parts = arguments.parts;
  const bool nan_highest = arguments.shape.nan == tamis::Nan::highest;
  start_by_hand();
  for (std::int64_t number = blockIdx.x; number < arguments.shape.rows * parts; number += gridDim.x) {
    const int row = static_cast<int>(number / parts), part = static_cast<int>(number % parts);

    const auto [start, length, selected, clamped, misplaced] = window_by_hand(arguments, row);
    if (selected == length && arguments.shape.order != tamis::Order::by_score) continue;

    // The row's packs, and the part's share of them.
    const auto* window =
        static_cast<const std::uint32_t*>(arguments.rows.scores) + (row * arguments.rows.stride + start);
    const auto lead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(window) % 16 / 4);
    const auto span = static_cast<unsigned>(length);
    const int packs = length == 0 ? 0 : static_cast<int>((span + lead + 3) / 4);
    const int shares = arguments.parts;
    const int begin = packs / shares * part + packs % shares * part / shares;
    const int end = packs / shares * (part + 1) + packs % shares * (part + 1) / shares;

    // A bound from a sample.
    std::uint32_t low = 0, high = ~0u, remaining = 0, candidates = 0, bound = 0;
    const int stride = (packs - 2) / sample_packs;
    if (stride >= 8) {
      const auto expected = static_cast<int>(static_cast<std::int64_t>(selected) * (4 * sample_packs) / span);
      remaining = static_cast<std::uint32_t>(expected + expected / 8 + 34);
      candidates = 4 * sample_packs;
      if (static_cast<int>(remaining) < 4 * sample_packs) {
#define PLACE(sampled)                                                                       \
  (1 + (sampled)*stride +                                                                    \
   static_cast<int>(std::uint64_t{static_cast<std::uint32_t>((sampled) + 1) * 0x9e3779b1u} * \
                        static_cast<std::uint32_t>(stride) >>                                \
                    32))
#define COUNT_SAMPLE                                            \
  {                                                             \
    LOAD_PACK(a, at_a, PLACE(rank))                             \
    LOAD_PACK(b, at_b, PLACE(rank + threads))                   \
    _Pragma("unroll") for (int i = 0; i < 4; ++i) {             \
      const std::uint32_t key = key_by_hand(a[i], nan_highest); \
      COUNT_KEY(key);                                           \
    }                                                           \
    _Pragma("unroll") for (int i = 0; i < 4; ++i) {             \
      const std::uint32_t key = key_by_hand(b[i], nan_highest); \
      COUNT_KEY(key);                                           \
    }                                                           \
  }
        NARROW(COUNT_SAMPLE)
        bound = low;
      }
    }

    // How many of the part reach it.
    std::uint32_t reaching = 0;
#define COUNT_REACHING(key) reaching += (key) >= bound;
    FOR_EACH(COUNT_REACHING)
    SCAN(reaching, before_reaching, reached);

    // The part's threshold.
    low = bound, high = ~0u, candidates = reached;
    remaining = reached < static_cast<std::uint32_t>(selected) ? reached : static_cast<std::uint32_t>(selected);
    const std::uint32_t listed = remaining;
#define COUNT_VISITED(visited)       \
  const std::uint32_t key = visited; \
  COUNT_KEY(key);
    NARROW(FOR_EACH(COUNT_VISITED))

    // Its list, in ascending position.
    const std::int64_t most = min(arguments.shape.k, arguments.shape.width);
    const std::int64_t all = arguments.shape.rows * parts;
    const std::int64_t counts_bytes = (all * 4 + 255) / 256 * 256;
    std::byte* counts = arguments.workspace + arguments.workspace_bytes - all * most * std::int64_t{8} - counts_bytes;
    auto* list = reinterpret_cast<uint2*>(counts + counts_bytes) + (row * parts + part) * most;
    std::uint32_t above_before = 0, candidates_before = 0;
    for (int first = begin; first < end; first += threads) {
      const int pack = first + rank;
      std::uint32_t pair = 0;
      std::uint32_t a[4] = {};
      const unsigned at = static_cast<unsigned>(pack) * 4 - lead;
      const std::uint32_t* from = window + (static_cast<std::int64_t>(pack) * 4 - lead);
      if (pack < end) {
        if (at < span && span - at >= 4) {
          const uint4 loaded = load_scores_once(from);
          a[0] = loaded.x, a[1] = loaded.y, a[2] = loaded.z, a[3] = loaded.w;
        } else {
#pragma unroll
          for (int i = 0; i < 4; ++i)
            if (at + i < span) a[i] = load_score_once(from + i);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (at + i < span) {
            const std::uint32_t key = key_by_hand(a[i], nan_highest);
            pair += static_cast<std::uint32_t>(key >= low && key <= high) << 16 | (key > high);
          }
      }
      SCAN(pair, before, total);
      std::uint32_t above = above_before + (before & 0xffffu), tied = candidates_before + (before >> 16);
      auto place = static_cast<int>(above + min(tied, remaining));
      unsigned taken = 0;
      if (pair != 0) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (at + i < span) {
            const std::uint32_t key = key_by_hand(a[i], nan_highest);
            const std::uint32_t next_above = above + (key > high);
            const std::uint32_t next_tied = tied + (key >= low && key <= high);
            if (next_above + min(next_tied, remaining) > above + min(tied, remaining)) taken |= 1u << i;
            above = next_above, tied = next_tied;
          }
      }
#pragma unroll 1
      for (; taken != 0; taken &= taken - 1) {
        const int i = __ffs(static_cast<int>(taken)) - 1;
        const int position = static_cast<int>(at + i);
        list[place++] = {load_score(window + position), static_cast<unsigned>(position)};
      }
      above_before += total & 0xffffu;
      candidates_before += total >> 16;
    }
    __syncthreads();
    if (rank == 0) reinterpret_cast<std::uint32_t*>(counts)[row * parts + part] = listed;
  }
}
