// One kernel twice: in the vocabulary, and by hand in CUDA. tests/emulator/twin_check.py holds the first to the
// registers and instructions of the second.
#include "simt/kernel.hpp"

struct Arguments {
  const float* scores;
  unsigned* counts;
  unsigned* positions;
  int packs;
};

// Counts the scores by their first byte, and lists the positions of the positive ones.
struct Composed {
  using Arguments = ::Arguments;

  struct Shared {
    unsigned histogram[256];
    unsigned listed;
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    namespace simt = tamis::simt;
    auto& shared = simt::shared<Shared>(block);
    shared.histogram[block.rank()] = 0;
    if (block.rank() == 0) shared.listed = 0;
    block.sync();
    const auto* packs = reinterpret_cast<const simt::Pack<float, 4>*>(arguments.scores);
    for (int i = block.rank(); i < arguments.packs; i += Block::size) {
      const auto pack = block.load_once(packs + i);
      TAMIS_UNROLL
      for (int j = 0; j < 4; ++j) {
        block.fetch_add(shared.histogram[std::bit_cast<unsigned>(pack[j]) >> 24], 1u);
        const auto positive = block.ballot(pack[j] > 0);
        unsigned first = 0;
        if (block.lane() == 0) first = block.fetch_add(shared.listed, static_cast<unsigned>(__popc(positive)));
        first = block.shuffle(first, 0);
        if (pack[j] > 0) arguments.positions[first + block.rank_in(positive)] = 4 * i + j;
      }
    }
    block.sync();
    arguments.counts[block.rank()] = block.scan_add(shared.histogram[block.rank()]);
  }
};

TAMIS_ENTRY(composed, 256, 1, 1, Composed)

extern "C" __global__ void __launch_bounds__(256, 1) tamis_flat(const __grid_constant__ Arguments arguments) {
  extern __shared__ unsigned flat_shared[];
  unsigned* histogram = flat_shared;
  unsigned* listed = flat_shared + 256;
  const int rank = threadIdx.x;
  const int lane = rank & 31;
  histogram[rank] = 0;
  if (rank == 0) *listed = 0;
  __syncthreads();
  for (int i = rank; i < arguments.packs; i += 256) {
    float pack[4];
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(pack[0]), "=f"(pack[1]), "=f"(pack[2]), "=f"(pack[3])
                 : "l"(arguments.scores + 4 * i));
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      atomicAdd(histogram + (__float_as_uint(pack[j]) >> 24), 1u);
      const unsigned positive = __ballot_sync(~0u, pack[j] > 0);
      unsigned first = 0;
      if (lane == 0) first = atomicAdd(listed, __popc(positive));
      first = __shfl_sync(~0u, first, 0);
      if (pack[j] > 0) arguments.positions[first + __popc(positive & ((1u << lane) - 1))] = 4 * i + j;
    }
  }
  __syncthreads();
  unsigned sum = histogram[rank];
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    asm volatile("{ .reg .pred p; .reg .u32 below; shfl.sync.up.b32 below|p, %0, %1, 0, -1; @p add.u32 %0, below, %0; }"
                 : "+r"(sum)
                 : "r"(distance));
  }
  arguments.counts[rank] = sum;
}
