// Shared memory of another block of the cluster. A Remote holds an address of the cluster's window, a type of its
// own: one variable that may point into either window has been miscompiled.
#pragma once

#include "simt/cuda/memory.hpp"

// The window of a cluster's shared memory; a "cluster" of one block has it on every architecture.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define TAMIS_CLUSTER_WINDOW "shared::cluster"
#else
#define TAMIS_CLUSTER_WINDOW "shared"
#endif

namespace tamis::simt::cuda {

TAMIS_DEVICE std::uint32_t map_to_block(std::uint32_t address, int block) {
  std::uint32_t mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(block));
  return mapped;
}

template <class T>
TAMIS_DEVICE void store_words(std::uint32_t address, Words<T> v) {
  if constexpr (Words<T>::size == 1) {
    asm volatile("st." TAMIS_CLUSTER_WINDOW ".b32 [%0], %1;" ::"r"(address), "r"(v.word[0]) : "memory");
  } else if constexpr (Words<T>::size == 2) {
    asm volatile("st." TAMIS_CLUSTER_WINDOW ".v2.b32 [%0], {%1,%2};" ::"r"(address), "r"(v.word[0]), "r"(v.word[1])
                 : "memory");
  } else {
    asm volatile("st." TAMIS_CLUSTER_WINDOW ".v4.b32 [%0], {%1,%2,%3,%4};" ::"r"(address), "r"(v.word[0]),
                 "r"(v.word[1]), "r"(v.word[2]), "r"(v.word[3])
                 : "memory");
  }
}

template <class T>
TAMIS_DEVICE T load_remote(std::uint32_t address) {
  Words<T> v;
  if constexpr (Words<T>::size == 1) {
    asm volatile("ld." TAMIS_CLUSTER_WINDOW ".b32 %0, [%1];" : "=r"(v.word[0]) : "r"(address) : "memory");
  } else if constexpr (Words<T>::size == 2) {
    asm volatile("ld." TAMIS_CLUSTER_WINDOW ".v2.b32 {%0,%1}, [%2];"
                 : "=r"(v.word[0]), "=r"(v.word[1])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ld." TAMIS_CLUSTER_WINDOW ".v4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "r"(address)
                 : "memory");
  }
  return from_words<T>(v);
}

// A reference to a T (4, 8 or 16 bytes) in the shared memory of one block of the cluster.
template <class T>
class Remote {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

 public:
  TAMIS_DEVICE explicit Remote(std::uint32_t address) : address_(address) {}

  TAMIS_DEVICE std::uint32_t address() const { return address_; }
  TAMIS_DEVICE Remote operator[](int i) const { return Remote(address_ + i * static_cast<int>(sizeof(T))); }
  TAMIS_DEVICE T load() const { return load_remote<T>(address_); }
  TAMIS_DEVICE void store(T value) const { store_words(address_, to_words(value)); }
  TAMIS_DEVICE std::uint32_t fetch_add(std::uint32_t value) const {
    std::uint32_t before;
    asm volatile("atom." TAMIS_CLUSTER_WINDOW ".add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(address_), "r"(value)
                 : "memory");
    return before;
  }
  TAMIS_DEVICE void add(std::uint32_t value) const {
    asm volatile("red." TAMIS_CLUSTER_WINDOW ".add.u32 [%0], %1;" ::"r"(address_), "r"(value) : "memory");
  }

 private:
  std::uint32_t address_;
};

}  // namespace tamis::simt::cuda

#undef TAMIS_CLUSTER_WINDOW
