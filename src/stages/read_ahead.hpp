// A kernel's arguments lie in constant memory, of which a launch finds nothing in the cache: each line is fetched when
// it is first read. Reading one word of each line while the kernel before still runs takes that off the path of the
// row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/arguments.hpp"
#include "simt/common.hpp"

namespace tamis::stages {

// A word that depends on every line, to be stored somewhere lest the compiler drop the reads.
TAMIS_DEVICE std::uint32_t read_ahead(const kernels::Arguments& arguments) {
  constexpr int line = 64 / sizeof(std::uint32_t);
  constexpr int words = sizeof(kernels::Arguments) / sizeof(std::uint32_t);
  const auto* word = reinterpret_cast<const std::uint32_t*>(&arguments);
  std::uint32_t all = 0;
  TAMIS_UNROLL
  for (int i = 0; i < words; i += line) all ^= word[i];
  return all;
}

}  // namespace tamis::stages
