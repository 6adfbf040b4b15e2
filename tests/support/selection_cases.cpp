// Sections 2 and 3 of the contract: which positions are selected and in what order they are written; and the inputs
// that have broken other selectors.

#include <fmt/format.h>

#include <limits>

#include "support/case.hpp"
#include "tamis/workload.hpp"

namespace tamis::testing {
namespace {

constexpr ScoreType types[] = {ScoreType::f32, ScoreType::f16, ScoreType::bf16};
constexpr Order orders[] = {Order::any, Order::by_index, Order::by_score};

void add_options(std::vector<Case>& list) {
  for (const char* pattern : {"random_bits", "levels", "nan", "zeros"})
    for (ScoreType type : types)
      for (Ties ties : {Ties::lowest_index, Ties::any})
        for (Order order : orders)
          for (Nan nan : {Nan::lowest, Nan::highest})
            list.push_back(
                {.sentence = "TheFirstNUnderTheStrictOrderAreWrittenInTheOrderAskedFor",
                 .name = fmt::format("{}_{}_ties_{}_order_{}_nan_{}", pattern, tamis::name(type), tamis::name(ties),
                                     tamis::name(order), tamis::name(nan)),
                 .shape = {.rows = 4, .width = 311, .k = 40, .scores = type, .ties = ties, .order = order, .nan = nan},
                 .pattern = pattern,
                 .lengths = {311, 250, 40, 41},
                 .starts = {0, 3, 7, 270}});
}

void add_patterns(std::vector<Case>& list) {
  for (const workload::Pattern& pattern : workload::patterns())
    for (ScoreType type : types) {
      const std::string name = fmt::format("{}_{}", pattern.name, tamis::name(type));
      const std::string drawn(pattern.name);
      list.push_back({.sentence = "EveryPatternIsSelectedExactly",
                      .name = name + "_short",
                      .shape = {.rows = 6, .width = 1500, .k = 96, .scores = type, .order = Order::by_score},
                      .pattern = drawn});
      list.push_back({.sentence = "EveryPatternIsSelectedExactly",
                      .name = name + "_long",
                      .shape = {.rows = 4, .width = 40000, .k = 2048, .scores = type},
                      .pattern = drawn,
                      .lengths = {40000, 39999, 2049, 30011}});
    }
}

void add_bins(std::vector<Case>& list) {
  const std::string sentence = "InputsThatBrokePeersAreSelectedExactly";
  for (std::int64_t width : {16383, 16384, 16385})
    for (std::int64_t k : {512, 1024, 2048})
      list.push_back({.sentence = sentence,
                      .name = fmt::format("banded_33x{}_k{}", width, k),
                      .shape = {.rows = 33, .width = width, .k = k},
                      .pattern = "banded"});
  for (const char* pattern : {"normal", "offset", "tiny", "large", "levels", "beyond_half"})
    for (std::int64_t width : {262144, 1048576})
      for (std::int64_t rows : {1, 64})
        list.push_back({.sentence = sentence,
                        .name = fmt::format("{}_{}x{}", pattern, rows, width),
                        .shape = {.rows = rows, .width = width, .k = 2048},
                        .pattern = pattern});
  list.push_back({.sentence = sentence,
                  .name = "hundred_winners_among_zeros",
                  .shape = {.rows = 3, .width = 8320, .k = 2048},
                  .pattern = "few_winners"});
  for (const char* pattern : {"narrow", "equal", "sorted", "reverse", "mostly_infinite", "fp8"})
    list.push_back({.sentence = sentence,
                    .name = fmt::format("{}_2x131072", pattern),
                    .shape = {.rows = 2, .width = 131072, .k = 2048},
                    .pattern = pattern});
}

void add_special_values(std::vector<Case>& list) {
  const std::string sentence = "InputsThatBrokePeersAreSelectedExactly";
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (Nan option : {Nan::lowest, Nan::highest})
    for (std::int64_t numbers : {0, 63, 64, 65})
      for (std::int64_t width : {1000, 20000})
        list.push_back({.sentence = sentence,
                        .name = fmt::format("{}_numbers_the_rest_nan_{}_width{}", numbers, tamis::name(option), width),
                        .shape = {.rows = 2, .width = width, .k = 64, .nan = option},
                        .mask = {numbers, nan}});
  list.push_back({.sentence = sentence,
                  .name = "infinities_first_and_elsewhere",
                  .shape = {.rows = 4, .width = 32768, .k = 1024},
                  .pattern = "infinities"});
  list.push_back({.sentence = sentence,
                  .name = "more_infinities_than_k",
                  .shape = {.rows = 4, .width = 32768, .k = 1024},
                  .pattern = "mostly_infinite"});
  list.push_back({.sentence = sentence,
                  .name = "600_finite_256x2045",
                  .shape = {.rows = 256, .width = 2045, .k = 1024},
                  .mask = {600, -infinity}});
  list.push_back({.sentence = sentence,
                  .name = "3_finite_of_51",
                  .shape = {.rows = 4, .width = 51, .k = 16},
                  .mask = {3, -infinity}});
  list.push_back({.sentence = sentence,
                  .name = "1_finite_of_5",
                  .shape = {.rows = 4, .width = 5, .k = 3},
                  .mask = {1, -infinity}});
  list.push_back({.sentence = sentence,
                  .name = "everything_masked",
                  .shape = {.rows = 4, .width = 5000, .k = 300},
                  .mask = {0, -infinity}});
  list.push_back({.sentence = sentence,
                  .name = "masked_long_row_split_across_threads",
                  .shape = {.rows = 1, .width = 300000, .k = 2048},
                  .mask = {600, -infinity}});
  list.push_back({.sentence = sentence,
                  .name = "many_repeated_sentinels",
                  .shape = {.rows = 2, .width = 60000, .k = 2048},
                  .mask = {2000, -1e9f}});
  list.push_back({.sentence = sentence,
                  .name = "zeros_of_both_signs_at_the_kth",
                  .shape = {.rows = 4, .width = 4096, .k = 512, .order = Order::by_score},
                  .pattern = "zeros"});
  list.push_back({.sentence = sentence,
                  .name = "denormals",
                  .shape = {.rows = 4, .width = 4096, .k = 512, .order = Order::by_score},
                  .pattern = "denormal"});
}

void add_long_rows(std::vector<Case>& list) {
  for (Order order : orders)
    for (Ties ties : {Ties::lowest_index, Ties::any})
      for (const char* pattern : {"normal", "fp8", "equal"})
        list.push_back({.sentence = "OneLongRowIsSelectedExactly",
                        .name = fmt::format("{}_ties_{}_order_{}", pattern, tamis::name(ties), tamis::name(order)),
                        .shape = {.rows = 1, .width = 400003, .k = 2048, .ties = ties, .order = order},
                        .pattern = pattern,
                        .misalignment = 1});
}

}  // namespace

std::vector<Case> selection_cases() {
  std::vector<Case> list;
  for (auto add : {add_options, add_patterns, add_bins, add_special_values, add_long_rows}) add(list);
  return list;
}

}  // namespace tamis::testing
