// Barriers in shared memory (mbarrier) on NVIDIA: one that counts bytes on their way (TransactionBarrier) and the
// portable wait for copies by a whole block that is built on it (CopyBarrier).
#pragma once

#include "simt/cuda/cluster.hpp"

namespace tamis::simt::cuda {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
inline constexpr bool has_transactions = true;
#else
inline constexpr bool has_transactions = false;
#endif

TAMIS_DEVICE void barrier_init(std::uint64_t& state, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&state)), "r"(arrivals) : "memory");
}

// Acquires at the scope of the block, as it does by default: at that of the cluster every wait would drop the whole L1.
TAMIS_DEVICE bool barrier_passed(std::uint64_t& state, std::uint32_t phase) {
  std::uint32_t passed;
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(passed)
      : "r"(shared_address(&state)), "r"(phase)
      : "memory");
#else
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(passed)
               : "r"(shared_address(&state)), "r"(phase)
               : "memory");
#endif
  return passed != 0;
}

// Counts arrivals and bytes; a phase completes when both are in. Needs sm_90.
class TransactionBarrier {
 public:
  // By one thread; followed by sync() (by cluster_sync() if other blocks send here) before any use.
  TAMIS_DEVICE void init(std::uint32_t arrivals) {
    barrier_init(state_, arrivals);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  // One arrival that also announces `bytes` of the current phase.
  TAMIS_DEVICE void expect(std::uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes) : "memory");
  }
  TAMIS_DEVICE void arrive() { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory"); }
  // Returns once the phase (0, 1, 0, ... by its parity) is complete; what was sent is then visible to the caller.
  TAMIS_DEVICE void wait(std::uint32_t phase) {
    while (!barrier_passed(state_, phase)) {
    }
  }
  TAMIS_DEVICE std::uint32_t address() const { return shared_address(&state_); }

 private:
  std::uint64_t state_;
};

template <class T>
TAMIS_DEVICE void send(Remote<T> destination, T value, std::uint32_t barrier) {
  const Words<T> v = to_words(value);
  if constexpr (Words<T>::size == 1) {
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(destination.address()),
        "r"(v.word[0]), "r"(barrier)
        : "memory");
  } else if constexpr (Words<T>::size == 2) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1,%2}, [%3];" ::"r"(
                     destination.address()),
                 "r"(v.word[0]), "r"(v.word[1]), "r"(barrier)
                 : "memory");
  } else {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%2,%3,%4}, [%5];" ::"r"(
                     destination.address()),
                 "r"(v.word[0]), "r"(v.word[1]), "r"(v.word[2]), "r"(v.word[3]), "r"(barrier)
                 : "memory");
  }
}

// The same in a block launched without a cluster, where an H200 calls st.async an illegal instruction (found by
// tests/emulator/words_gpu.cu): stored, and then counted as bytes that arrived.
template <class T>
TAMIS_DEVICE void send_alone(Remote<T> destination, T value, std::uint32_t barrier) {
  destination.store(value);
  asm volatile("fence.acq_rel.cta; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(static_cast<std::uint32_t>(sizeof(T)))
               : "memory");
}

// Bulk copy by one thread; `barrier` must have been told to expect the bytes. Both ends and the size: 16 bytes.
TAMIS_DEVICE void copy_bulk(void* destination, const void* source, std::uint32_t bytes, TransactionBarrier& barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(destination)),
               "l"(source), "r"(bytes), "r"(barrier.address())
               : "memory");
}

// Copies global -> shared by a whole block: one bulk copy on sm_90 and above, cp.async by every thread below.
class CopyBarrier {
 public:
  // By every thread of the block; leaves the block synchronised.
  template <class Block>
  TAMIS_DEVICE void init(Block block) {
    if (block.rank() == 0) {
      barrier_init(state_, has_transactions ? 1 : Block::size);
#if __CUDA_ARCH__ >= 900
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    }
    block.sync();
  }

  template <class Block>
  TAMIS_DEVICE void start(Block block, void* destination, const void* source, std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
    if (block.rank() == 0) {
      auto& barrier = reinterpret_cast<TransactionBarrier&>(state_);
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      barrier.expect(bytes);
      copy_bulk(destination, source, bytes, barrier);
    }
#else
    for (std::uint32_t i = block.rank() * 16; i < bytes; i += Block::size * 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(destination) + i),
                   "l"(static_cast<const char*>(source) + i)
                   : "memory");
    }
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&state_)) : "memory");
#endif
  }

  template <class Block>
  TAMIS_DEVICE void wait(Block, std::uint32_t phase) {
    while (!barrier_passed(state_, phase)) {
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace tamis::simt::cuda
