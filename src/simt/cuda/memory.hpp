// Loads of global memory on NVIDIA. Volatile, so that none is hoisted above the wait for the previous kernel.
#pragma once

#include "simt/common.hpp"

namespace tamis::simt::cuda {

struct Cached {};
struct Once {};

// `asm volatile` a size of access: the read-only path, kept in L1 (Cached) or passing by it (Once).
TAMIS_DEVICE void load_words(std::uint32_t (&w)[4], const void* p, Cached) {
  asm volatile("ld.global.nc.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(p));
}
TAMIS_DEVICE void load_words(std::uint32_t (&w)[4], const void* p, Once) {
  asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4];"
               : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
               : "l"(p));
}
TAMIS_DEVICE void load_words(std::uint32_t (&w)[2], const void* p, Cached) {
  asm volatile("ld.global.nc.v2.b32 {%0,%1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
}
TAMIS_DEVICE void load_words(std::uint32_t (&w)[2], const void* p, Once) {
  asm volatile("ld.global.nc.L1::no_allocate.v2.b32 {%0,%1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
}
TAMIS_DEVICE void load_words(std::uint32_t (&w)[1], const void* p, Cached) {
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(w[0]) : "l"(p));
}
TAMIS_DEVICE void load_words(std::uint32_t (&w)[1], const void* p, Once) {
  asm volatile("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(w[0]) : "l"(p));
}
template <class Policy>
TAMIS_DEVICE void load_words(std::uint32_t (&w)[8], const void* p, Policy policy) {
  const auto* bytes = static_cast<const char*>(p);
  load_words(reinterpret_cast<std::uint32_t(&)[4]>(w[0]), bytes, policy);
  load_words(reinterpret_cast<std::uint32_t(&)[4]>(w[4]), bytes + 16, policy);
}

template <class T, class Policy>
TAMIS_DEVICE T load(const T* pointer, Policy policy) {
  Words<T> words;
  if constexpr (sizeof(T) == 1) {
    asm volatile("ld.global.nc.u8 %0, [%1];" : "=r"(words.word[0]) : "l"(pointer));
  } else if constexpr (sizeof(T) == 2) {
    unsigned short half;
    asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(half) : "l"(pointer));
    words.word[0] = half;
  } else {
    load_words(words.word, pointer, policy);
  }
  return from_words<T>(words);
}

// Loads and stores that other blocks see: never from a stale line of L1.
TAMIS_DEVICE std::uint32_t load_relaxed(const std::uint32_t* p) {
  std::uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}
TAMIS_DEVICE std::uint64_t load_relaxed(const std::uint64_t* p) {
  std::uint64_t value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(p) : "memory");
  return value;
}
TAMIS_DEVICE std::uint32_t fetch_add_acquire_release(std::uint32_t* p, std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(value) : "memory");
  return before;
}

TAMIS_DEVICE void prefetch(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

// The address inside the window of shared memory.
TAMIS_DEVICE std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

}  // namespace tamis::simt::cuda
