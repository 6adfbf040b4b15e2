// The part of a row that bulk copies can move: its whole 16-byte packs. The few scores before and behind them are the
// row's edges, read one by one.
#pragma once

#include <cstdint>

#include "stages/row.hpp"

namespace tamis::kernels::stream {

template <ScoreType type>
struct Body {
  using Pack = typename stages::Row<type>::Pack;
  static constexpr int items = stages::Row<type>::items;

  const Pack* packs;
  int count;
  int lead;  // position of the first score: that many are before the body
};

template <ScoreType type>
TAMIS_DEVICE Body<type> body_of(const stages::Row<type>& row) {
  constexpr int items = Body<type>::items;
  const int skip = row.lead == 0 ? 0 : 1;
  const int whole = static_cast<int>((row.length + row.lead) / items) - skip;
  const int lead = skip * items - static_cast<int>(row.lead);
  return {reinterpret_cast<const typename Body<type>::Pack*>(row.window + lead), whole > 0 ? whole : 0, lead};
}

}  // namespace tamis::kernels::stream
