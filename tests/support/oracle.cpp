// The oracle: section 1 to 4 of the contract, one function a sentence, with no thought for speed.

#include "support/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tamis::testing {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

bool before(const Item& a, const Item& b, Nan nan) {
  const bool nan_a = std::isnan(a.value), nan_b = std::isnan(b.value);
  if (nan_a != nan_b) return nan == Nan::highest ? nan_a : nan_b;
  if (!nan_a && a.value != b.value) return a.value > b.value;
  return a.position < b.position;
}

enum class Mapped { fine, no_table_row, no_page, no_room };
struct Slot {
  std::int64_t slot = -1;
  Mapped how = Mapped::fine;
};

Slot fitted(std::int64_t slot, SlotType type) {
  if (type == SlotType::i32 && slot > std::numeric_limits<std::int32_t>::max()) return {-1, Mapped::no_room};
  return {slot, Mapped::fine};
}

std::int64_t table_row(const PageTable& table, std::int64_t row) {
  if (table.table_of_row) return table.table_of_row[row];
  if (!table.cu_rows) return row;
  for (std::int64_t t = 0; t < table.tables; ++t)
    if (table.cu_rows[t] <= row && row < table.cu_rows[t + 1]) return t;
  return -1;
}

Slot paged(const Output& output, std::int64_t row, std::int64_t position) {
  const PageTable& table = output.page_table;
  const std::int64_t t = table_row(table, row);
  if (t < 0 || t >= table.tables) return {-1, Mapped::no_table_row};
  const std::int64_t q = position + (table.page_start ? table.page_start[row] : 0);
  const std::int64_t column = floor_divide(q, table.page_size);
  if (column < 0 || column >= table.columns) return {-1, Mapped::no_page};
  const std::int64_t page = table.entries[t * table.stride + column];
  if (page < 0) return {-1, Mapped::no_page};
  return fitted(page * table.page_size + q % table.page_size, output.slot_type);
}

Slot slot_of(const Output& output, std::int64_t row, std::int64_t position) {
  if (output.mapping == Mapping::paged) return paged(output, row, position);
  if (output.mapping == Mapping::ragged) return fitted(position + output.offsets[row], output.slot_type);
  return fitted(position, output.slot_type);
}

void count(Fault& fault, std::int64_t row) {
  fault.count += 1;
  fault.first_row = std::min(fault.first_row, row);
}

template <class T>
void put(void* array, std::int64_t i, T value) {
  std::memcpy(static_cast<char*>(array) + i * static_cast<std::int64_t>(sizeof value), &value, sizeof value);
}

void put_score(void* array, ScoreType type, std::int64_t i, std::uint32_t bits) {
  if (type == ScoreType::f32)
    put(array, i, bits);
  else
    put(array, i, static_cast<std::uint16_t>(bits));
}

std::uint32_t minus_infinity(ScoreType type) {
  return type == ScoreType::f32 ? 0xff800000u : type == ScoreType::f16 ? 0xfc00u : 0xff80u;
}

}  // namespace

Window window(const Shape& shape, const Rows& rows, std::int64_t row) {
  const std::int64_t next_n = shape.length_rule.next_n;
  const std::int64_t length = rows.lengths ? rows.lengths[row / next_n] : shape.width;
  const std::int64_t start = rows.starts ? rows.starts[row] : 0;
  if (start < 0 || start > shape.width) return {0, 0, true, false};
  const std::int64_t seen = floor_divide(length - next_n + row % next_n + 1, shape.length_rule.divisor);
  const std::int64_t room = shape.width - start;
  return {start, std::clamp<std::int64_t>(seen, 0, room), false, seen > room};
}

std::uint32_t bits_at(const void* scores, ScoreType type, std::int64_t i) {
  std::uint32_t bits = 0;
  const std::int64_t bytes = type == ScoreType::f32 ? 4 : 2;
  std::memcpy(&bits, static_cast<const char*>(scores) + i * bytes, static_cast<std::size_t>(bytes));
  return bits;
}

double value_of_bits(std::uint32_t bits, ScoreType type) {
  const int mantissa_bits = type == ScoreType::f32 ? 23 : type == ScoreType::f16 ? 10 : 7;
  const int exponent_bits = type == ScoreType::f16 ? 5 : 8;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const std::uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double sign = (bits >> (mantissa_bits + exponent_bits)) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1)
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << mantissa_bits), exponent - bias - mantissa_bits);
}

bool tied(const Item& a, const Item& b) { return a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)); }

Ranking ranking(const Shape& shape, const Rows& rows, const Output& output, std::int64_t row) {
  const Window w = window(shape, rows, row);
  Ranking result;
  result.n = std::min(shape.k, w.length);
  for (std::int64_t p = 0; p < w.length; ++p) {
    const std::uint32_t bits = bits_at(rows.scores, shape.scores, row * rows.stride + w.start + p);
    result.items.push_back({p, 0, value_of_bits(bits, shape.scores), bits});
  }
  const auto better = [&](const Item& a, const Item& b) { return before(a, b, shape.nan); };
  std::sort(result.items.begin(), result.items.end(), better);
  // Only entries of selected positions may be read; of a tied item any may come to be selected.
  for (std::int64_t i = 0; i < w.length && output.slots; ++i)
    if (i < result.n || tied(result.items[i], result.items[result.n - 1]))
      result.items[i].slot = slot_of(output, row, result.items[i].position).slot;
  return result;
}

std::vector<Item> selection(const Ranking& ranking, const Shape& shape) {
  std::vector<Item> items(ranking.items.begin(), ranking.items.begin() + ranking.n);
  if (shape.order != Order::by_score)
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.position < b.position; });
  return items;
}

void add_faults(Faults& faults, const Shape& shape, const Rows& rows, const Output& output, std::int64_t row,
                const Ranking& ranking) {
  const Window w = window(shape, rows, row);
  if (w.bad_start) count(faults.start, row);
  if (w.bad_length) count(faults.length, row);
  if (output.slots == nullptr) return;
  Mapped last = Mapped::fine;
  for (const Item& item : selection(ranking, shape)) {
    last = slot_of(output, row, item.position).how;
    if (last == Mapped::no_page) count(faults.page, row);
    if (last == Mapped::no_room) count(faults.slot, row);
  }
  if (last == Mapped::no_table_row) count(faults.table_row, row);
}

void oracle_select(const Shape& shape, const Rows& rows, const Output& output) {
  const auto stride = [&](std::int64_t given) { return given == 0 ? shape.k : given; };
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    const std::vector<Item> items = selection(ranking(shape, rows, output, r), shape);
    const auto n = static_cast<std::int64_t>(items.size());
    if (output.counts) output.counts[r] = static_cast<std::int32_t>(n);
    for (std::int64_t i = 0; i < shape.k; ++i) {
      const Item item = i < n ? items[i] : Item{-1, -1, 0, minus_infinity(shape.scores)};
      if (output.indices)
        put(output.indices, r * stride(output.indices_stride) + i, static_cast<std::int32_t>(item.position));
      if (output.scores) put_score(output.scores, shape.scores, r * stride(output.scores_stride) + i, item.bits);
      if (output.slots && output.slot_type == SlotType::i64)
        put(output.slots, r * stride(output.slots_stride) + i, item.slot);
      if (output.slots && output.slot_type == SlotType::i32)
        put(output.slots, r * stride(output.slots_stride) + i, static_cast<std::int32_t>(item.slot));
    }
  }
}

}  // namespace tamis::testing
