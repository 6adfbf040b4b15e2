// Section 1 of the contract: windows, lengths, starts, the length rule, strides, alignment, k.

#include <fmt/format.h>

#include <limits>
#include <set>

#include "support/case.hpp"

namespace tamis::testing {
namespace {

constexpr std::int32_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t int32_max = std::numeric_limits<std::int32_t>::max();

std::vector<std::int32_t> edge_lengths(std::int32_t k, std::int32_t width) {
  return {int32_min, -1, 0, 1, k - 1, k, k + 1, width - 1, width, width + 1, int32_max};
}

std::set<std::int32_t> distinct(const std::vector<std::int32_t>& values) { return {values.begin(), values.end()}; }

std::string named(std::int32_t number) {
  return number < 0 ? fmt::format("minus{}", -std::int64_t{number}) : fmt::to_string(number);
}

void add_lengths(std::vector<Case>& list) {
  const std::string sentence = "LengthsAreClampedAndNeverFault";
  for (std::int32_t k : {1, 7, 64, 300}) {
    for (std::int32_t width : {k + 2, 2 * k + 37}) {
      const auto lengths = edge_lengths(k, width);
      const Shape batch{.rows = static_cast<std::int64_t>(lengths.size()) + 1, .width = width, .k = k};
      list.push_back({.sentence = sentence,
                      .name = fmt::format("mixed_k{}_width{}", k, width),
                      .shape = batch,
                      .pattern = "levels",
                      .lengths = lengths});
    }
    for (std::int32_t length : distinct(edge_lengths(k, 2 * k + 9)))
      list.push_back({.sentence = sentence,
                      .name = fmt::format("k{}_length_{}", k, named(length)),
                      .shape = {.rows = 2, .width = 2 * k + 9, .k = k},
                      .lengths = {length}});
  }
  list.push_back({.sentence = sentence,
                  .name = "k_past_the_width",
                  .shape = {.rows = 3, .width = 50, .k = 200},
                  .lengths = {50, 49, 7}});
  list.push_back(
      {.sentence = sentence, .name = "width_zero", .shape = {.rows = 3, .width = 0, .k = 4}, .lengths = {0, 1, -1}});
  list.push_back(
      {.sentence = sentence, .name = "width_zero_without_lengths", .shape = {.rows = 3, .width = 0, .k = 4}});
  list.push_back({.sentence = sentence, .name = "width_one", .shape = {.rows = 3, .width = 1, .k = 4}});
}

void add_windows(std::vector<Case>& list) {
  const std::string sentence = "NothingOutsideAWindowEntersADecision";
  for (ScoreType type : {ScoreType::f32, ScoreType::f16, ScoreType::bf16})
    for (Nan nan : {Nan::lowest, Nan::highest})
      for (std::int32_t start : {0, 1, 2, 3, 5, 8, 13, 100})
        list.push_back({.sentence = sentence,
                        .name = fmt::format("{}_nan_{}_start_{}", tamis::name(type), tamis::name(nan), start),
                        .shape = {.rows = 4, .width = 517, .k = 33, .scores = type, .nan = nan},
                        .lengths = {400, 33, 34, 399},
                        .starts = {start, start + 1, start + 2, start + 17},
                        .stride_slack = 3});
  list.push_back({.sentence = sentence,
                  .name = "short_rows_in_a_wide_buffer",
                  .shape = {.rows = 8, .width = 131072, .k = 512},
                  .lengths = {1, 511, 512, 513, 2049, 4096, 100, 0}});
  list.push_back({.sentence = sentence,
                  .name = "prefill_windows_in_flattened_kv",
                  .shape = {.rows = 64, .width = 4001, .k = 128},
                  .lengths = {1, 77, 128, 129, 500, 1333, 2999},
                  .starts = {0, 1, 2, 3, 501, 1000, 1001, 997}});
  list.push_back({.sentence = sentence,
                  .name = "window_ends_with_the_row",
                  .shape = {.rows = 4, .width = 301, .k = 20},
                  .lengths = {300, 299, 21, 1},
                  .starts = {1, 2, 280, 300}});
}

void add_starts(std::vector<Case>& list) {
  list.push_back({.sentence = "AStartOutsideTheWidthMakesTheRowEmpty",
                  .name = "mixed",
                  .shape = {.rows = 9, .width = 100, .k = 10},
                  .lengths = {20, 0, 100, int32_max, -1},
                  .starts = {int32_min, -1, 0, 99, 100, 101, int32_max, 50}});
  list.push_back({.sentence = "AStartOutsideTheWidthMakesTheRowEmpty",
                  .name = "without_lengths",
                  .shape = {.rows = 7, .width = 100, .k = 10},
                  .starts = {-1, 0, 99, 100, 101, 50, 95}});
}

void add_length_rules(std::vector<Case>& list) {
  for (std::int32_t next_n : {1, 2, 3, 5, 200})
    for (std::int32_t divisor : {1, 2, 4, 128})
      list.push_back({.sentence = "LengthsFollowFromNextNAndDivisor",
                      .name = fmt::format("next_n{}_divisor{}", next_n, divisor),
                      .shape = {.rows = 17, .width = 260, .k = 16, .length_rule = {next_n, divisor}},
                      .pattern = "levels",
                      .lengths = {260, -1, 0, 1, 2, 3, 64, 65, 1040, int32_max, int32_min, 1039}});
  list.push_back({.sentence = "LengthsFollowFromNextNAndDivisor",
                  .name = "without_lengths",
                  .shape = {.rows = 10, .width = 130, .k = 16, .length_rule = {4, 2}}});
}

void add_alignment(std::vector<Case>& list) {
  for (ScoreType type : {ScoreType::f32, ScoreType::f16, ScoreType::bf16})
    for (std::int64_t residue = 0; residue < 17; ++residue)
      list.push_back({.sentence = "AnyStrideAndElementAlignmentWorks",
                      .name = fmt::format("{}_residue_{}", tamis::name(type), residue),
                      .shape = {.rows = 5, .width = 256 + residue, .k = 19, .scores = type},
                      .pattern = "fp8",
                      .lengths = {256, static_cast<std::int32_t>(200 + residue), 31, 97, 64},
                      .starts = {0, 1, 2, 3, static_cast<std::int32_t>(residue)},
                      .stride_slack = residue * 3 % 17,
                      .misalignment = residue});
  list.push_back({.sentence = "AnyStrideAndElementAlignmentWorks",
                  .name = "stride_zero_repeats_one_row",
                  .shape = {.rows = 4, .width = 300, .k = 17},
                  .stride_slack = -300});
  list.push_back({.sentence = "AnyStrideAndElementAlignmentWorks",
                  .name = "rows_overlap",
                  .shape = {.rows = 6, .width = 300, .k = 17},
                  .stride_slack = -299});
  list.push_back({.sentence = "AnyStrideAndElementAlignmentWorks",
                  .name = "stride_of_1024_bytes",
                  .shape = {.rows = 3, .width = 700, .k = 100},
                  .stride_slack = 68});
}

void add_k(std::vector<Case>& list) {
  for (std::int64_t k : {1, 2, 3, 31, 32, 33, 256, 512, 1024, 2028, 2048, 4096, 9999})
    for (const char* pattern : {"normal", "levels"}) {
      const auto edge = static_cast<std::int32_t>(k);
      list.push_back({.sentence = "AnyKWorks",
                      .name = fmt::format("k{}_{}", k, pattern),
                      .shape = {.rows = 5, .width = 10300, .k = k},
                      .pattern = pattern,
                      .lengths = {10300, edge - 1, edge, edge + 1, 8193},
                      .mapping = Mapping::paged});
    }
}

}  // namespace

std::vector<Case> input_cases() {
  std::vector<Case> list;
  for (auto add : {add_lengths, add_windows, add_starts, add_length_rules, add_alignment, add_k}) add(list);
  return list;
}

}  // namespace tamis::testing
