// The levels as CUDA kernels: nvcc -std=c++20 --expt-relaxed-constexpr -arch=sm_90a -Isrc -Iinclude -cubin levels.cu
#include "levels.hpp"
#include "simt/kernel.hpp"

#define TAMIS_LEVEL(name, threads, cluster, kernel) \
  TAMIS_ENTRY(level_##name, threads, 1, cluster, tamis::levels::kernel)
TAMIS_LEVELS(TAMIS_LEVEL)
