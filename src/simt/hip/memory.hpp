// Loads of global memory, and the portable barrier for copies, on AMD.
#pragma once

#include "simt/common.hpp"

namespace tamis::simt::hip {

template <int count>
using WordVector = std::uint32_t __attribute__((ext_vector_type(count)));

// As memory that never changes while the kernel runs: one address for the whole wavefront is then read by the scalar
// unit, and the value needs no vector register.
template <class T>
TAMIS_DEVICE T load_constant(const T* pointer) {
  return *(const __attribute__((address_space(4))) T*)(pointer);
}

// The kernel's arguments where the launch left them. The compiler takes the address for one it knows nothing of, so it
// neither keeps what was read before in registers nor reads early what is needed late.
template <class Arguments>
TAMIS_DEVICE const Arguments& launch_arguments() {
  auto* address = __builtin_amdgcn_kernarg_segment_ptr();
  asm volatile("" : "+s"(address));
  return *(const Arguments*)(address);
}

// Passes by the caches where the machine can.
template <class T>
TAMIS_DEVICE T load_once(const T* pointer) {
  if constexpr (sizeof(T) == 1) {
    return std::bit_cast<T>(__builtin_nontemporal_load(reinterpret_cast<const std::uint8_t*>(pointer)));
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(__builtin_nontemporal_load(reinterpret_cast<const std::uint16_t*>(pointer)));
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(__builtin_nontemporal_load(reinterpret_cast<const std::uint32_t*>(pointer)));
  } else {
    using Vector = WordVector<Words<T>::size>;
    return std::bit_cast<T>(__builtin_nontemporal_load(reinterpret_cast<const Vector*>(pointer)));
  }
}

// A reference to this block's own shared memory: a cluster is one block.
template <class T>
class Remote {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

 public:
  TAMIS_DEVICE explicit Remote(T* cell) : cell_(cell) {}

  TAMIS_DEVICE Remote operator[](int i) const { return Remote(cell_ + i); }
  TAMIS_DEVICE T load() const { return *cell_; }
  TAMIS_DEVICE void store(T value) const { *cell_ = value; }
  TAMIS_DEVICE std::uint32_t fetch_add(std::uint32_t value) const {
    return __hip_atomic_fetch_add(cell_, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  TAMIS_DEVICE void add(std::uint32_t value) const { fetch_add(value); }

 private:
  T* cell_;
};

// Every thread copies its part through registers; the wait is a barrier of the block.
class CopyBarrier {
 public:
  template <class Block>
  TAMIS_DEVICE void init(Block block) {
    block.sync();
  }
  template <class Block>
  TAMIS_DEVICE void start(Block block, void* destination, const void* source, std::uint32_t bytes) {
    using Part = Pack<std::uint32_t, 4>;
    auto* to = static_cast<Part*>(destination);
    const auto* from = static_cast<const Part*>(source);
    for (std::uint32_t i = block.rank(); i < bytes / sizeof(Part); i += Block::size) to[i] = load_once(from + i);
  }
  template <class Block>
  TAMIS_DEVICE void wait(Block block, std::uint32_t) {
    block.sync();
  }

 private:
  [[maybe_unused]] std::uint64_t reserved_;  // as large as on NVIDIA: a plan's bytes of shared memory are the same
};

// Named by kernels for machines that have it; never used here.
class TransactionBarrier {
  [[maybe_unused]] std::uint64_t reserved_;
};

}  // namespace tamis::simt::hip
