// The table of corruptions: each spoils one thing of a right output.

#include <limits>

#include "contract/judged.hpp"

namespace tamis::testing {
namespace {

void nothing(Judged&) {}

// Replaces the item at `entry` of the middle row by the worst of the row.
Verdict take_the_worst(Judged& judged, std::int64_t entry) {
  const std::int64_t lost = judged.indices[middle * k + entry];
  judged.put(middle, entry, judged.ranked(middle).back());
  return {Finding::not_best, middle, entry, lost};
}

}  // namespace

Verdict take_the_next(Judged& judged, std::int64_t row, Finding finding) {
  const auto ranked = judged.ranked(row);
  const std::int64_t entry = judged.entry_of(row, ranked[k - 1].position);
  judged.put(row, entry, ranked[k]);
  return {finding, row, entry, ranked[k - 1].position};
}

const std::vector<Corruption>& corruptions() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto any_order = [](Judged& j) { j.shape.order = Order::any; };
  const auto by_score = [](Judged& j) { j.shape.order = Order::by_score; };
  const auto index = [](std::int64_t row, std::int64_t entry, std::int32_t value, Finding finding) {
    return [=](Judged& j) {
      j.indices[row * k + entry] = value;
      return Verdict{finding, row, entry, value};
    };
  };
  const auto count = [](std::int64_t row, std::int32_t value) {
    return [=](Judged& j) {
      j.counts[row] = value;
      return Verdict{Finding::wrong_count, row, -1, -1};
    };
  };
  const auto swapped = [](std::int64_t row, std::int64_t a, std::int64_t b, std::int64_t reported) {
    return [=](Judged& j) {
      j.swap_entries(row, a, b);
      return Verdict{Finding::wrong_order, row, reported};
    };
  };
  static const std::vector<Corruption> list = {
      {"CountOneLess", nothing, count(middle, 11)},
      {"CountOneMore", nothing, count(0, 13)},
      {"CountOfAShortRowIsK", nothing, count(3, 12)},
      {"CountNegative", nothing, count(4, -1)},
      {"CountAloneWrong", [](Judged& j) { j.only(false, false, false); }, count(1, 0)},

      {"HoleAtTheFirstEntry", nothing, index(middle, 0, -1, Finding::out_of_range)},
      {"HoleAtTheLastEntry", nothing, index(middle, k - 1, -1, Finding::out_of_range)},
      {"IndexIsTheLength", nothing, index(middle, k - 1, 40, Finding::out_of_range)},
      {"IndexIsTheWidth", nothing, index(0, 5, 48, Finding::out_of_range)},
      {"IndexIsTheGreatestNumber", nothing, index(4, 0, INT32_MAX, Finding::out_of_range)},
      {"IndexIsTheLeastNumber", nothing, index(4, k - 1, INT32_MIN, Finding::out_of_range)},
      {"IndexPastAShortRow", nothing, index(3, 4, 5, Finding::out_of_range)},

      {"FirstEntryRepeated", nothing,
       [](Judged& j) {
         j.put(middle, k - 1, j.ranked(middle)[0]);
         const std::int64_t repeated = j.ranked(middle)[0].position;
         const std::int64_t earlier = j.entry_of(middle, repeated);
         return Verdict{Finding::duplicate, middle, earlier == k - 1 ? 0 : k - 1, repeated};
       }},
      {"NeighbourRepeated", nothing,
       [](Judged& j) {
         j.indices[middle * k + 1] = j.indices[middle * k];
         return Verdict{Finding::duplicate, middle, 1, j.indices[middle * k]};
       }},

      {"WorstTakenAtTheFirstEntry", any_order, [](Judged& j) { return take_the_worst(j, 0); }},
      {"WorstTakenAtTheLastEntry", any_order, [](Judged& j) { return take_the_worst(j, k - 1); }},
      {"LastScoreOfTheRowLeftOut",
       [](Judged& j) {
         j.scores[middle * width + 39] = 9;
         j.shape.order = Order::any;
       },
       [](Judged& j) {
         j.put(middle, j.entry_of(middle, 39), j.ranked(middle)[k]);
         const std::int64_t entry = j.entry_of(middle, j.ranked(middle)[k].position);
         return Verdict{Finding::not_best, middle, entry, 39};
       }},
      {"NaNTakenAsHighest",
       [=](Judged& j) {
         j.scores[middle * width + 30] = nan;
         j.shape.order = Order::any;
       },
       [](Judged& j) { return take_the_worst(j, 3); }},
      {"NaNTakenAsLowest",
       [=](Judged& j) {
         j.scores[middle * width] = nan;
         j.shape.nan = Nan::highest;
         j.shape.order = Order::any;
       },
       [](Judged& j) {
         const std::int64_t entry = j.entry_of(middle, 0);
         j.put(middle, entry, j.ranked(middle)[k]);
         return Verdict{Finding::not_best, middle, entry, 0};
       }},
      {"NaNAboveMinusInfinity",
       [=](Judged& j) {
         j.shape.order = Order::any;
         for (int p = 0; p < 40; ++p) j.scores[middle * width + p] = p < 11 ? 1 : p == 20 ? -infinity : nan;
       },
       [](Judged& j) {
         const std::int64_t entry = j.entry_of(middle, 20);
         j.put(middle, entry, j.ranked(middle)[k]);
         return Verdict{Finding::not_best, middle, entry, 20};
       }},
      {"InfinityLeftOut",
       [=](Judged& j) {
         j.scores[middle * width + 7] = infinity;
         j.shape.order = Order::any;
       },
       [](Judged& j) {
         const std::int64_t entry = j.entry_of(middle, 7);
         j.put(middle, entry, j.ranked(middle)[k]);
         return Verdict{Finding::not_best, middle, entry, 7};
       }},
      {"DenormalLeftOut",
       [](Judged& j) {
         j.shape.order = Order::any;
         for (int p = 0; p < 40; ++p) j.scores[middle * width + p] = p == 33 ? 1e-45f : 0.0f;
       },
       [](Judged& j) {
         const std::int64_t entry = j.entry_of(middle, 33);
         j.put(middle, entry, j.ranked(middle)[k]);
         return Verdict{Finding::not_best, middle, entry, 33};
       }},
      {"BetterOneLeftOutUnderAnyTies",
       [](Judged& j) {
         j.shape.ties = Ties::any;
         j.shape.order = Order::any;
       },
       [](Judged& j) { return take_the_worst(j, 0); }},

      {"NextTieInTheMiddleRow", any_order, [](Judged& j) { return take_the_next(j, middle, Finding::wrong_tie); }},
      {"NextTieInTheFirstRow", any_order, [](Judged& j) { return take_the_next(j, 0, Finding::wrong_tie); }},
      {"NextTieInTheLastRow", any_order, [](Judged& j) { return take_the_next(j, 4, Finding::wrong_tie); }},
      {"PlusZeroPreferredToMinusZero",
       [](Judged& j) {
         j.shape.order = Order::any;
         for (int p = 0; p < 40; ++p) j.scores[middle * width + p] = p < 11 ? 1.0f : p == 11 ? -0.0f : 0.0f;
       },
       [](Judged& j) { return take_the_next(j, middle, Finding::wrong_tie); }},
      {"NaNsOfOtherBitsAreTies",
       [=](Judged& j) {
         j.shape.order = Order::any;
         for (int p = 0; p < 40; ++p) j.scores[middle * width + p] = p == 20 ? nan : -nan;
       },
       [](Judged& j) { return take_the_next(j, middle, Finding::wrong_tie); }},

      {"FirstTwoSwapped", nothing, swapped(middle, 0, 1, 1)},
      {"LastTwoSwapped", nothing, swapped(middle, k - 2, k - 1, k - 1)},
      {"ShortRowNotAscendingUnderAny", any_order, swapped(3, 0, 4, 1)},
      {"TiesSwappedByScore", by_score, swapped(middle, 0, 1, 1)},
      {"BestLastByScore", by_score, swapped(middle, 0, k - 1, 1)},

      {"ScoreOfAnother", nothing,
       [](Judged& j) {
         j.out_scores[middle * k] = 77;
         return Verdict{Finding::wrong_score, middle, 0, j.indices[middle * k]};
       }},
      {"LastScoreWrong", nothing,
       [](Judged& j) {
         j.out_scores[middle * k + k - 1] = 77;
         return Verdict{Finding::wrong_score, middle, k - 1, j.indices[middle * k + k - 1]};
       }},
      {"ScoreHasAnotherSignOfZero", [](Judged& j) { j.scores[3 * width] = -0.0f; },
       [](Judged& j) {
         j.out_scores[3 * k] = 0.0f;
         return Verdict{Finding::wrong_score, 3, 0, 0};
       }},

      {"SlotOfThePositionItself", nothing,
       [](Judged& j) {
         j.slots[middle * k] = j.indices[middle * k];
         return Verdict{Finding::wrong_slot, middle, 0, j.indices[middle * k]};
       }},
      {"LastSlotOneOff", nothing,
       [](Judged& j) {
         ++j.slots[middle * k + k - 1];
         return Verdict{Finding::wrong_slot, middle, k - 1, j.indices[middle * k + k - 1]};
       }},
      {"RaggedOffsetForgotten", [](Judged& j) { j.mapping = Mapping::ragged; },
       [](Judged& j) {
         j.slots[k] -= j.offsets[1];
         return Verdict{Finding::wrong_slot, 1, 0, 0};
       }},
      {"NegativePageMapped", [](Judged& j) { j.pages[3 * 7] = -3; },
       [](Judged& j) {
         j.slots[3 * k] = -3 * 8 + 1;
         return Verdict{Finding::wrong_slot, 3, 0, 0};
       }},

      {"PaddingOfIndicesZero", nothing,
       [](Judged& j) {
         j.indices[3 * k + 5] = 0;
         return Verdict{Finding::wrong_padding, 3, 5, -1};
       }},
      {"LastPaddingOfSlotsZero", nothing,
       [](Judged& j) {
         j.slots[3 * k + k - 1] = 0;
         return Verdict{Finding::wrong_padding, 3, k - 1, -1};
       }},
      {"PaddingOfScoresZero", nothing,
       [](Judged& j) {
         j.out_scores[3 * k + 8] = 0;
         return Verdict{Finding::wrong_padding, 3, 8, -1};
       }},
      {"PaddingOfAnEmptyRow", [](Judged& j) { j.lengths[1] = -1; },
       [](Judged& j) {
         j.indices[k] = 0;
         return Verdict{Finding::wrong_padding, 1, 0, -1};
       }},

      {"PagedSlotsAloneOutOfRange", [](Judged& j) { j.only(false, true, false); },
       [](Judged& j) {
         j.slots[middle * k + 4] = std::numeric_limits<std::int64_t>::max();
         return Verdict{Finding::out_of_range, middle, 4, -1};
       }},
      {"PagedSlotsAloneLeaveOutTheBest",
       [](Judged& j) {
         j.only(false, true, false);
         j.shape.order = Order::any;
       },
       [](Judged& j) {
         const auto ranked = j.ranked(middle);
         const std::int64_t entry =
             std::find(j.slots.begin() + middle * k, j.slots.end(), ranked[0].slot) - j.slots.begin() - middle * k;
         j.slots[middle * k + entry] = ranked[k].slot;
         return Verdict{Finding::not_best, middle, entry, ranked[0].position};
       }},
      {"RaggedSlotsAloneDuplicate",
       [](Judged& j) {
         j.only(false, true, false);
         j.mapping = Mapping::ragged;
       },
       [](Judged& j) {
         j.slots[middle * k + 1] = j.slots[middle * k];
         return Verdict{Finding::duplicate, middle, 1, j.slots[middle * k] - 300};
       }},
      {"PlainSlotsAloneNegative",
       [](Judged& j) {
         j.only(false, true, false);
         j.mapping = Mapping::none;
       },
       [](Judged& j) {
         j.slots[4 * k] = std::numeric_limits<std::int64_t>::min();
         return Verdict{Finding::out_of_range, 4, 0, -1};
       }},
      {"SlotsOfARepeatedPageWrong",
       [](Judged& j) {
         j.only(false, true, false);
         std::fill(j.pages.begin(), j.pages.end(), 6);
       },
       [](Judged& j) {
         j.slots[middle * k + 3] = 1000;
         return Verdict{Finding::wrong_slot, middle, 3};
       }},
      {"SlotsOfAMissingTableRowWrong",
       [](Judged& j) {
         j.only(false, true, true);
         j.page_start.assign(5, 1000);
       },
       [](Judged& j) {
         j.slots[middle * k] = 0;
         return Verdict{Finding::wrong_slot, middle, 0};
       }},

      {"ScoresAloneNotOfTheRow",
       [](Judged& j) {
         j.only(false, false, true);
         j.shape.order = Order::any;
       },
       [](Judged& j) {
         j.out_scores[middle * k + k - 1] = 77;
         return Verdict{Finding::wrong_score, middle, k - 1};
       }},
      {"ScoresAloneTooManyTies",
       [](Judged& j) {
         j.only(false, false, true);
         j.shape.order = Order::by_score;
       },
       [](Judged& j) {
         j.out_scores[middle * k] = j.out_scores[middle * k + k - 1];
         return Verdict{Finding::wrong_score, middle, 0};
       }},
      {"ScoresAloneMissingTheBestUnderAnyTies",
       [](Judged& j) {
         j.only(false, false, true);
         j.shape.order = Order::any;
         j.shape.ties = Ties::any;
       },
       [](Judged& j) {
         const auto ranked = j.ranked(middle);
         const auto best = static_cast<float>(ranked[0].value), last = static_cast<float>(ranked[k].value);
         *std::find(j.out_scores.begin() + middle * k, j.out_scores.end(), best) = last;
         return Verdict{Finding::not_best, middle, -1, ranked[0].position};
       }},
      {"ScoresAloneNotDescending",
       [](Judged& j) {
         j.only(false, false, true);
         j.shape.order = Order::by_score;
       },
       swapped(middle, 0, k - 1, 0)},
      {"ScoresAloneNotDescendingUnderAnyTies",
       [](Judged& j) {
         j.only(false, false, true);
         j.shape.order = Order::by_score;
         j.shape.ties = Ties::any;
       },
       swapped(middle, 0, k - 1, 1)},
  };
  return list;
}

}  // namespace tamis::testing
