// Section 4 of the contract: each output by itself and with others, strides, and the mapping of slots.

#include <fmt/format.h>

#include "support/case.hpp"

namespace tamis::testing {
namespace {

constexpr SlotType slot_types[] = {SlotType::i32, SlotType::i64};

void add_subsets(std::vector<Case>& list) {
  for (unsigned outputs = 1; outputs < 16; ++outputs)
    for (Order order : {Order::any, Order::by_index, Order::by_score})
      for (ScoreType type : {ScoreType::f32, ScoreType::bf16})
        list.push_back({.sentence = "EachOutputIsOptional",
                        .name = fmt::format("outputs_{:04b}_{}_{}", outputs, tamis::name(order), tamis::name(type)),
                        .shape = {.rows = 4, .width = 400, .k = 30, .scores = type, .order = order},
                        .pattern = "levels",
                        .lengths = {400, 10, 0, 31},
                        .outputs = outputs,
                        .mapping = Mapping::paged});
}

void add_slack(std::vector<Case>& list) {
  for (std::int64_t slack : {1, 2, 3, 5, 13})
    for (SlotType type : slot_types)
      list.push_back({.sentence = "WhatLiesBetweenOutputRowsIsNotTouched",
                      .name = fmt::format("slack{}_{}", slack, tamis::name(type)),
                      .shape = {.rows = 6, .width = 900, .k = 61},
                      .lengths = {900, 60, 0, 61, 62, 500},
                      .output_slack = slack,
                      .mapping = Mapping::paged,
                      .slot_type = type});
}

void add_paged(std::vector<Case>& list) {
  for (std::int32_t page_size : {1, 8, 16, 64, 100, 128, 256})
    for (TableRows rows : {TableRows::own, TableRows::table_of_row, TableRows::segments})
      for (SlotType type : slot_types)
        list.push_back({.sentence = "PositionsAreMappedThroughThePageTable",
                        .name = fmt::format("page{}_rows{}_{}", page_size, static_cast<int>(rows), tamis::name(type)),
                        .shape = {.rows = 9, .width = 1000, .k = 50, .order = Order::by_index},
                        .lengths = {1000, 999, 50, 51, 3, 0, 640},
                        .starts = {0, 1, 64, 100},
                        .mapping = Mapping::paged,
                        .slot_type = type,
                        .pages = {.page_size = page_size,
                                  .rows = rows,
                                  .stride_slack = page_size % 5,
                                  .page_start = {0, 1, 63, 64, 300}}});
  list.push_back({.sentence = "PositionsAreMappedThroughThePageTable",
                  .name = "one_table_row_for_all",
                  .shape = {.rows = 9, .width = 1000, .k = 50},
                  .mapping = Mapping::paged,
                  .pages = {.stride_slack = -1}});
  list.push_back({.sentence = "PositionsAreMappedThroughThePageTable",
                  .name = "more_selected_than_one_page_each",
                  .shape = {.rows = 3, .width = 5000, .k = 4000},
                  .mapping = Mapping::paged,
                  .pages = {.page_size = 1}});
}

void add_ragged(std::vector<Case>& list) {
  for (SlotType type : slot_types)
    for (Order order : {Order::any, Order::by_score})
      list.push_back({.sentence = "PositionsAreMappedByRaggedOffsets",
                      .name = fmt::format("{}_{}", tamis::name(type), tamis::name(order)),
                      .shape = {.rows = 8, .width = 700, .k = 40, .order = order},
                      .lengths = {700, 0, 40, 41, 300},
                      .mapping = Mapping::ragged,
                      .slot_type = type,
                      .offsets = {0, 1, 1000000, 2147480000, -5, -2147483647, 2147483647}});
}

void add_faults(std::vector<Case>& list) {
  const std::string sentence = "WhatCannotBeMappedGivesMinusOneAndIsCounted";
  const auto add_with = [&](std::int64_t k, SlotType type, Order order, const std::string& name, const Pages& pages) {
    list.push_back({.sentence = sentence,
                    .name = fmt::format("{}_{}_{}", name, tamis::name(type), tamis::name(order)),
                    .shape = {.rows = 12, .width = 900, .k = k, .order = order},
                    .pattern = "fp8",
                    .lengths = {900, 901, 64, 10, 0, -1, 700},
                    .starts = {0, 0, 3, -1, 5},
                    .mapping = Mapping::paged,
                    .slot_type = type,
                    .pages = pages});
  };
  const auto add = [&](const std::string& name, const Pages& pages) {
    for (SlotType type : slot_types) {
      for (Order order : {Order::any, Order::by_index, Order::by_score}) add_with(64, type, order, name, pages);
      add_with(1000, type, Order::any, name + "_whole", pages);  // rows that are only written
    }
  };
  add("table_narrower_than_the_scores", {.page_size = 16, .missing_columns = 11});
  add("no_columns", {.page_size = 16, .missing_columns = 1000});
  add("negative_pages", {.page_size = 16, .holes = 3});
  add("page_start_before_the_table", {.page_size = 16, .page_start = {-1, -100, -2147483647, 0}});
  add("page_start_past_the_table", {.page_size = 16, .page_start = {2147483647, 100000, 0}});
  add("slots_past_an_int32", {.page_size = 64, .first_page = 33554430});
  add("greatest_pages", {.page_size = 256, .first_page = 2147483000});
  add("rows_outside_the_table", {.page_size = 16, .rows = TableRows::table_of_row, .stray_rows = 3});
  add("rows_that_no_segment_covers", {.page_size = 16, .rows = TableRows::segments, .stray_rows = 3});
  add("more_rows_than_the_table_has", {.page_size = 16, .rows = TableRows::own, .stray_rows = 3});
}

}  // namespace

std::vector<Case> output_cases() {
  std::vector<Case> list;
  for (auto add : {add_subsets, add_slack, add_paged, add_ragged, add_faults}) add(list);
  return list;
}

}  // namespace tamis::testing
