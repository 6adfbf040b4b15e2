// The shapes that every backend and method must cover: those of the systems tamis descends from, each in full and,
// where that is too much for a CPU, with as many rows as fit.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/case.hpp"

namespace tamis::testing {
namespace {

struct Extent {
  std::int64_t rows, width;
};

constexpr std::array extents = {Extent{8, 256},     Extent{16, 1024},    Extent{8, 4096},     Extent{8, 8192},
                                Extent{128, 8192},  Extent{300, 8192},   Extent{8, 8193},     Extent{64, 16384},
                                Extent{256, 16384}, Extent{8, 16385},    Extent{4, 32768},    Extent{16, 65535},
                                Extent{4, 65536},   Extent{100, 65536},  Extent{1, 65537},    Extent{2, 131072},
                                Extent{8, 98304},   Extent{30, 131072},  Extent{31, 131072},  Extent{40, 262144},
                                Extent{64, 196608}, Extent{128, 131072}, Extent{129, 131072}, Extent{200, 262144}};

void add(std::vector<Case>& list, const Extent& extent, std::int64_t k) {
  list.push_back({.sentence = "EveryShapeIsSelectedExactly",
                  .name = fmt::format("{}x{}_k{}", extent.rows, extent.width, k),
                  .shape = {.rows = extent.rows, .width = extent.width, .k = k},
                  .mapping = Mapping::paged});
}

void add_extents(std::vector<Case>& list) {
  std::vector<std::int64_t> shrunk;  // widths already covered by fewer rows
  for (const Extent& extent : extents) {
    add(list, extent, 2048);
    const std::int64_t fitting = std::max<std::int64_t>(1, (1 << 19) / extent.width);
    if (list.back().size() != Size::gpu || std::count(shrunk.begin(), shrunk.end(), extent.width) > 0) continue;
    shrunk.push_back(extent.width);
    add(list, {fitting, extent.width}, 2048);
  }
  for (std::int64_t rows : {1, 48})
    for (std::int64_t width : {2048, 8192, 32768}) add(list, {rows, width}, 1024);
}

void add_row_counts(std::vector<Case>& list) {
  for (std::int64_t rows :
       {0, 1, 2, 4, 7, 8, 15, 16, 30, 31, 32, 33, 34, 64, 128, 129, 256, 512, 513, 2048, 16384, 65535, 65536, 70000})
    list.push_back({.sentence = "AnyNumberOfRowsWorks",
                    .name = fmt::format("rows{}", rows),
                    .shape = {.rows = rows, .width = 29, .k = 5, .order = Order::by_score},
                    .pattern = "levels",
                    .lengths = {29, 5, 6, 0, 17},
                    .mapping = Mapping::paged,
                    .pages = {.page_size = 8}});
}

void add_powers(std::vector<Case>& list) {
  for (std::int32_t power : {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    list.push_back({.sentence = "EveryLengthAroundAPowerOfTwoWorks",
                    .name = fmt::format("around_2_to_the_{}", power),
                    .shape = {.rows = 6, .width = (1 << power) + 1, .k = std::max(1, (1 << power) / 9)},
                    .pattern = "fp8",
                    .lengths = {(1 << power) - 1, 1 << power, (1 << power) + 1}});
}

void add_systems(std::vector<Case>& list) {
  list.push_back({.sentence = "EveryShapeIsSelectedExactly",
                  .name = "decode_page64",
                  .shape = {.rows = 4, .width = 65536, .k = 2048},
                  .pattern = "decode_like",
                  .lengths = {65536, 1000, 40001, 2048},
                  .stride_slack = 192,
                  .mapping = Mapping::paged});
  list.push_back({.sentence = "EveryShapeIsSelectedExactly",
                  .name = "compressed_kv_four_fold",
                  .shape = {.rows = 8, .width = 16384, .k = 512, .length_rule = {2, 4}},
                  .pattern = "relu",
                  .lengths = {65536, 65535, 3000, 2049},
                  .mapping = Mapping::paged,
                  .slot_type = SlotType::i64});
  list.push_back({.sentence = "EveryShapeIsSelectedExactly",
                  .name = "speculative_rows_with_padding",
                  .shape = {.rows = 32, .width = 9000, .k = 1024, .length_rule = {4, 1}},
                  .pattern = "relu",
                  .lengths = {9000, -1, 0, 1, 2, 1027, 5000, 1024},
                  .mapping = Mapping::paged});
  list.push_back({.sentence = "EveryShapeIsSelectedExactly",
                  .name = "prefill_ragged_windows",
                  .shape = {.rows = 200, .width = 7001, .k = 2048},
                  .pattern = "relu",
                  .lengths = {1, 2047, 2048, 2049, 3000, 5000},
                  .starts = {0, 1, 2, 3, 1001},
                  .mapping = Mapping::ragged,
                  .offsets = {0, 1, 2, 3, 1001}});
}

}  // namespace

std::vector<Case> shape_cases() {
  std::vector<Case> list;
  for (auto part : {add_extents, add_row_counts, add_powers, add_systems}) part(list);
  return list;
}

}  // namespace tamis::testing
