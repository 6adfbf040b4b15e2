// The vector part of the CPU backend: loops compiled for every instruction set of the architecture, chosen at run time.
#pragma once

#include <cstdint>

#include "backends/cpu/candidates.hpp"
#include "backends/cpu/key.hpp"
#include "tamis/tamis.hpp"

namespace tamis::detail::cpu {

// Scores filtered as one block; candidates must have room for as many before a block is read.
constexpr std::int64_t filter_block = 1024;

// Entries past the end of each candidate array that vector stores may touch.
constexpr std::int64_t vector_slack = 64;

// Scores of one sampled chunk: what a cache line holds.
constexpr std::int64_t sample_chunk(ScoreType type) { return type == ScoreType::f32 ? 16 : 32; }

// Contiguous scores. The candidate made from scores[i] carries position first + i.
struct Stretch {
  const void* scores;
  std::int64_t length;
  std::int32_t first;
  ScoreType type;
};

struct Kernels {
  // Appends the scores of [begin, length) whose key is at_least or more, in order of position, until the end or until
  // the candidates have no room for another block. Returns where it stopped.
  std::int64_t (*filter)(const Stretch& stretch, std::int64_t begin, std::int32_t at_least, const KeyRule& rule,
                         Candidates& candidates);
  // Writes the keys of one chunk of each of `chunks` equal strata of [begin, length), at places that the seed decides.
  void (*sample)(const Stretch& stretch, std::int64_t begin, std::int64_t chunks, std::uint32_t seed,
                 const KeyRule& rule, std::int32_t* keys);
  // The rank-th greatest of keys[0, count), 1 <= rank <= count. Keys stay as they are; spare is overwritten.
  Threshold (*narrow)(const std::int32_t* keys, std::int64_t count, std::int64_t rank, std::int32_t* spare);
  // Keeps the candidates above the threshold and the first `ties` that equal it, in their order. Returns how many.
  std::int64_t (*keep)(const Candidates& candidates, Threshold threshold, std::int64_t ties);
};

// The kernels for this machine's best instruction set.
const Kernels& kernels();

}  // namespace tamis::detail::cpu
