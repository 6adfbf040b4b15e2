// What the three implementations of the vocabulary share: how a function for the device is marked (TAMIS_DEVICE), how
// a loop of constant count is unrolled (TAMIS_UNROLL before it) or kept small (TAMIS_ROLL), packs of elements that one
// instruction loads. `std::min`, `std::bit_cast`, `std::popcount` and other constexpr functions of the standard library
// are usable in kernels as they are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#define TAMIS_DEVICE __device__ __forceinline__
#define TAMIS_DEVICE_OUTLINED __device__ __noinline__
#define TAMIS_UNROLL _Pragma("unroll")
#define TAMIS_ROLL _Pragma("unroll 1")
#elif defined(__HIP__)
#define TAMIS_DEVICE __attribute__((device)) inline __attribute__((always_inline))
#define TAMIS_DEVICE_OUTLINED TAMIS_DEVICE  // a call would need a stack, in scratch memory
#define TAMIS_UNROLL _Pragma("unroll")
#define TAMIS_ROLL _Pragma("unroll 1")
#else
#define TAMIS_DEVICE inline
#define TAMIS_DEVICE_OUTLINED
#define TAMIS_UNROLL
#define TAMIS_ROLL
#endif

namespace tamis::simt {

// `count` elements side by side, aligned so that one instruction moves them (up to 16 bytes).
template <class T, int count>
struct alignas(sizeof(T) * count) Pack {
  static_assert(std::has_single_bit(sizeof(T) * count) && sizeof(T) * count <= 32);
  static constexpr int size = count;
  T item[count];

  TAMIS_DEVICE T& operator[](int i) { return item[i]; }
  TAMIS_DEVICE const T& operator[](int i) const { return item[i]; }
};

// The words a value is moved in by shuffles and loads.
template <class T>
struct Words {
  static constexpr int size = (sizeof(T) + 3) / 4;
  std::uint32_t word[size];
};

template <class T>
TAMIS_DEVICE Words<T> to_words(T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (sizeof(T) == 1) {
    return {{std::bit_cast<std::uint8_t>(value)}};
  } else if constexpr (sizeof(T) == 2) {
    return {{std::bit_cast<std::uint16_t>(value)}};
  } else {
    return std::bit_cast<Words<T>>(value);
  }
}

template <class T>
TAMIS_DEVICE T from_words(Words<T> words) {
  if constexpr (sizeof(T) == 1) {
    return std::bit_cast<T>(static_cast<std::uint8_t>(words.word[0]));
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(static_cast<std::uint16_t>(words.word[0]));
  } else {
    return std::bit_cast<T>(words);
  }
}

// The position of the lowest set bit of `mask`, which is not 0. std::countr_zero is not usable in kernels: nvcc 13.0
// compiles its builtin to the constant 32, as it does std::countl_zero and std::bit_width of 64 bits.
template <class T>
TAMIS_DEVICE int lowest_bit(T mask) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__CUDA_ARCH__)
  return (sizeof(T) == 8 ? __ffsll(static_cast<long long>(mask)) : __ffs(static_cast<int>(mask))) - 1;
#else
  return std::countr_zero(mask);
#endif
}

// Bytes of a kernel's shared memory before its tail.
template <class Shared>
constexpr std::size_t tail_offset = (sizeof(Shared) + 15) / 16 * 16;

// A kernel's shared memory, and what lies behind it up to the bytes it was launched with.
template <class Shared, class Block>
TAMIS_DEVICE Shared& shared(Block block) {
  return block.template shared<Shared>();
}
template <class Shared, class T, class Block>
TAMIS_DEVICE T* tail(Block block) {
  return block.template tail<Shared, T>();
}

}  // namespace tamis::simt
