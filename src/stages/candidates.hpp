// A list of candidates, in shared memory or in the workspace, as a source: scores and their positions side by side.
#pragma once

#include <cstdint>

#include "stages/key.hpp"
#include "stages/source.hpp"

namespace tamis::stages {

// One score that may be selected.
struct Candidate {
  std::uint32_t bits;
  int position;
};

// Ordered where the list was written in ascending position.
template <ScoreType type>
struct Candidates {
  static constexpr int items = 1;
  using Pack = simt::Pack<Bits<type>, 1>;

  const Candidate* list;
  Nan nan;
  int begin;
  int end;

  TAMIS_DEVICE int position(int pack, int) const { return list[pack].position; }
  TAMIS_DEVICE bool holds(int, int) const { return true; }
  TAMIS_DEVICE std::uint32_t key(Bits<type> score) const { return key_of<type>(score, nan); }

  template <class Block>
  TAMIS_DEVICE Pack load(Block, int pack) const {
    return {{static_cast<Bits<type>>(list[pack].bits)}};
  }
  template <class Block>
  TAMIS_DEVICE Bits<type> score(Block, int pack, int) const {
    return static_cast<Bits<type>>(list[pack].bits);
  }
};

}  // namespace tamis::stages
