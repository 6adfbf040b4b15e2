// Exchange between the lanes of a wavefront on AMD: 64 lanes on gfx9, 32 from gfx10 on. Scans and reductions use data
// parallel primitives, which move values between lanes without a trip through shared memory.
#pragma once

#include "simt/common.hpp"

namespace tamis::simt::hip {

#if defined(__GFX9__)
inline constexpr int lanes = 64;
#else
inline constexpr int lanes = 32;
#endif

using Mask = std::conditional_t<lanes == 64, std::uint64_t, std::uint32_t>;

TAMIS_DEVICE Mask ballot(bool predicate) {
#if defined(__GFX9__)
  return __builtin_amdgcn_ballot_w64(predicate);
#else
  return __builtin_amdgcn_ballot_w32(predicate);
#endif
}

TAMIS_DEVICE int rank_in(Mask mask) {
  const auto low = static_cast<std::uint32_t>(mask);
  if constexpr (lanes == 32) return __builtin_amdgcn_mbcnt_lo(low, 0);
  return __builtin_amdgcn_mbcnt_hi(static_cast<std::uint32_t>(std::uint64_t{mask} >> 32),
                                   __builtin_amdgcn_mbcnt_lo(low, 0));
}

// Applies `exchange` (one 32-bit word in, one out) to every word of a value.
template <class T, class Exchange>
TAMIS_DEVICE T exchange_words(T value, Exchange exchange) {
  Words<T> words = to_words(value);
  TAMIS_UNROLL
  for (int i = 0; i < Words<T>::size; ++i) words.word[i] = exchange(words.word[i]);
  return from_words<T>(words);
}

template <class T>
TAMIS_DEVICE T from_lane(T value, int source) {
  return exchange_words(value, [&](std::uint32_t word) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(source * 4, static_cast<int>(word)));
  });
}

// `source` is one for the whole wavefront.
template <class T>
TAMIS_DEVICE T from_uniform_lane(T value, int source) {
  return exchange_words(value, [&](std::uint32_t word) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_readlane(static_cast<int>(word), source));
  });
}

// How a step of a scan moves values: from `n` lanes below within a row of 16 lanes (row_shr), or from the last lane of
// the row below, or of the lower half, to all lanes of the rows that `rows` names.
inline constexpr int row_shr = 0x110;
inline constexpr int last_of_row_below = 0x142;
inline constexpr int last_of_lower_half = 0x143;

// The value that `control` moves here; `otherwise` in lanes it moves nothing to.
template <int control, int rows, class T>
TAMIS_DEVICE T moved(T value, T otherwise) {
  Words<T> words = to_words(value);
  const Words<T> old = to_words(otherwise);
  TAMIS_UNROLL
  for (int i = 0; i < Words<T>::size; ++i) {
    words.word[i] = __builtin_amdgcn_update_dpp(old.word[i], words.word[i], control, rows, 0xf, false);
  }
  return from_words<T>(words);
}

// Inclusive fold over the lanes up to this one; `neutral` changes nothing when combined.
template <class T, class Combine>
TAMIS_DEVICE T scan(T value, T neutral, Combine combine) {
  value = combine(moved<row_shr + 1, 0xf>(value, neutral), value);
  value = combine(moved<row_shr + 2, 0xf>(value, neutral), value);
  value = combine(moved<row_shr + 4, 0xf>(value, neutral), value);
  value = combine(moved<row_shr + 8, 0xf>(value, neutral), value);
#if defined(__GFX9__)
  value = combine(moved<last_of_row_below, 0xa>(value, neutral), value);
  value = combine(moved<last_of_lower_half, 0xc>(value, neutral), value);
  return value;
#else
  const T lower_row = from_uniform_lane(value, 15);
  return __builtin_amdgcn_workitem_id_x() & 16 ? combine(lower_row, value) : value;
#endif
}

// Over the whole wavefront, for a combination that may take a value twice (min, max).
template <class T, class Combine>
TAMIS_DEVICE T fold(T value, Combine combine) {
  const auto step = [&](T moved_here) { value = combine(moved_here, value); };
  step(moved<row_shr + 1, 0xf>(value, value));
  step(moved<row_shr + 2, 0xf>(value, value));
  step(moved<row_shr + 4, 0xf>(value, value));
  step(moved<row_shr + 8, 0xf>(value, value));
#if defined(__GFX9__)
  step(moved<last_of_row_below, 0xa>(value, value));
  step(moved<last_of_lower_half, 0xc>(value, value));
  return from_uniform_lane(value, lanes - 1);
#else
  return combine(from_uniform_lane(value, 15), from_uniform_lane(value, 31));
#endif
}

}  // namespace tamis::simt::hip
