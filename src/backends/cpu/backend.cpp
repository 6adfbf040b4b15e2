// The CPU backend: a first, plain selection that partially sorts (key, position) pairs of each row.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "backends/backend.hpp"

namespace tamis {

struct Threads::Pool {
  std::int32_t count;
};
Threads::Threads(std::int32_t count) : pool_(new Pool{count}) {}
Threads::~Threads() = default;
std::int32_t Threads::count() const { return pool_->count; }

namespace detail {
namespace {

struct Item {
  std::uint32_t key;
  std::int32_t position;  // reported
  std::int64_t offset;    // of the score, in elements
};

std::uint32_t f32_bits(const void* scores, ScoreType type, std::int64_t i) {
  if (type == ScoreType::f32) {
    std::uint32_t bits;
    std::memcpy(&bits, static_cast<const char*>(scores) + 4 * i, 4);
    return bits;
  }
  std::uint16_t bits;
  std::memcpy(&bits, static_cast<const char*>(scores) + 2 * i, 2);
  if (type == ScoreType::bf16) return std::uint32_t{bits} << 16;
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<_Float16>(bits)));
}

std::uint32_t key_of(std::uint32_t bits, Nan nan) {
  if ((bits & 0x7fffffffu) > 0x7f800000u) return nan == Nan::highest ? 0xffffffffu : 0u;
  if (bits == 0x80000000u) bits = 0;
  return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000u);
}

void count(Fault& fault, std::int64_t row) {
  ++fault.count;
  fault.first_row = std::min(fault.first_row, row);
}

std::int64_t slot_of(const Output& out, std::int64_t rows, std::int64_t row, std::int64_t table_row, std::int64_t position, Faults& faults) {
  (void)rows;
  std::int64_t slot = position;
  if (out.mapping == Mapping::ragged) slot = position + out.offsets[row];
  if (out.mapping == Mapping::paged) {
    const PageTable& table = out.page_table;
    if (table_row < 0) return -1;
    const std::int64_t q = position + (table.page_start ? table.page_start[row] : 0);
    const std::int64_t column = q < 0 ? -1 : q / table.page_size;
    const std::int64_t page = column < 0 || column >= table.columns ? -1 : table.entries[table_row * table.stride + column];
    if (page < 0) {
      count(faults.page, row);
      return -1;
    }
    slot = page * table.page_size + q % table.page_size;
  }
  if (out.slot_type == SlotType::i32 && (slot > INT32_MAX || slot < INT32_MIN)) {
    count(faults.slot, row);
    return -1;
  }
  return slot;
}

std::int64_t table_row_of(const Output& out, std::int64_t row, Faults& faults) {
  const PageTable& table = out.page_table;
  std::int64_t t = row;
  if (table.table_of_row) t = table.table_of_row[row];
  if (table.cu_rows) {
    t = std::upper_bound(table.cu_rows, table.cu_rows + table.tables + 1, row) - table.cu_rows - 1;
  }
  if (t < 0 || t >= table.tables) {
    count(faults.table_row, row);
    return -1;
  }
  return t;
}

void emit(const PlanData& plan, const void* scores, std::vector<Item>& items, std::int64_t row, const Output& out, Faults& faults) {
  const Shape& s = plan.shape;
  const auto before = [](const Item& a, const Item& b) { return a.key != b.key ? a.key > b.key : a.position < b.position; };
  const std::int64_t length = static_cast<std::int64_t>(items.size());
  const std::int64_t n = std::min(s.k, length);
  if (n < length) std::nth_element(items.begin(), items.begin() + n, items.end(), before);
  items.resize(n);
  if (s.order == Order::by_score)
    std::sort(items.begin(), items.end(), before);
  else
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.position < b.position; });
  if (out.counts) out.counts[row] = static_cast<std::int32_t>(n);
  const bool paged = out.slots != nullptr && out.mapping == Mapping::paged;
  const std::int64_t table_row = paged && n > 0 ? table_row_of(out, row, faults) : -1;
  const std::size_t bytes = score_bytes(s.scores);
  const std::uint16_t minus_inf16 = s.scores == ScoreType::f16 ? 0xfc00 : 0xff80;
  const float minus_inf = -std::numeric_limits<float>::infinity();
  for (std::int64_t i = 0; i < s.k; ++i) {
    if (out.indices) out.indices[row * out.indices_stride + i] = i < n ? items[i].position : -1;
    if (out.slots) {
      const std::int64_t slot = i < n ? slot_of(out, s.rows, row, table_row, items[i].position, faults) : -1;
      if (out.slot_type == SlotType::i64)
        static_cast<std::int64_t*>(out.slots)[row * out.slots_stride + i] = slot;
      else
        static_cast<std::int32_t*>(out.slots)[row * out.slots_stride + i] = static_cast<std::int32_t>(slot);
    }
    if (out.scores) {
      const void* from = i < n ? static_cast<const char*>(scores) + items[i].offset * bytes
                               : bytes == 4 ? static_cast<const void*>(&minus_inf) : &minus_inf16;
      std::memcpy(static_cast<char*>(out.scores) + (row * out.scores_stride + i) * bytes, from, bytes);
    }
  }
}

Status select(const PlanData& plan, const Rows& rows, const Output& output, Workspace, Stream) {
  const Shape& s = plan.shape;
  Faults faults;
  std::vector<Item> items;
  for (std::int64_t r = 0; r < s.rows; ++r) {
    const std::int64_t n = s.length_rule.next_n;
    std::int64_t start = rows.starts ? rows.starts[r] : 0;
    std::int64_t length = (rows.lengths ? rows.lengths[r / n] : s.width) - n + r % n + 1;
    length = length <= 0 ? 0 : length / s.length_rule.divisor;
    if (start < 0 || start > s.width) {
      count(faults.start, r);
      start = length = 0;
    }
    if (length > s.width - start) {
      count(faults.length, r);
      length = s.width - start;
    }
    items.clear();
    for (std::int64_t p = 0; p < length; ++p) {
      const std::int64_t offset = r * rows.stride + start + p;
      items.push_back({key_of(f32_bits(rows.scores, s.scores, offset), s.nan), static_cast<std::int32_t>(p), offset});
    }
    emit(plan, rows.scores, items, r, output, faults);
  }
  if (output.faults) {
    const auto add = [](Fault& to, const Fault& from) {
      to.count += from.count;
      to.first_row = std::min(to.first_row, from.first_row);
    };
    add(output.faults->length, faults.length);
    add(output.faults->start, faults.start);
    add(output.faults->table_row, faults.table_row);
    add(output.faults->page, faults.page);
    add(output.faults->slot, faults.slot);
  }
  return {};
}

Status merge(const PlanData& plan, const Lists& lists, const Output& output, Workspace, Stream) {
  const MergeShape& m = plan.merge;
  Faults faults;
  std::vector<Item> items;
  for (std::int64_t r = 0; r < m.rows; ++r) {
    items.clear();
    for (std::int64_t l = 0; l < m.lists; ++l) {
      const std::int64_t n = lists.counts ? std::clamp<std::int64_t>(lists.counts[l * m.rows + r], 0, m.capacity) : m.capacity;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t offset = l * lists.list_stride + r * lists.row_stride + i;
        items.push_back({key_of(f32_bits(lists.scores, m.scores, offset), m.nan), lists.positions[offset], offset});
      }
    }
    emit(plan, lists.scores, items, r, output, faults);
  }
  return {};
}

Result<std::vector<Device>> devices() { return {{}, {cpu_device(1)}}; }

}  // namespace

const BackendEntry cpu_backend{
    .id = Backend::cpu,
    .devices = devices,
    .select = select,
    .merge = merge,
    .synchronize = [](Stream) { return Status{}; },
    .memory = {.allocate = [](std::size_t bytes) { return std::malloc(bytes); },
               .release = [](void* data) { std::free(data); },
               .write = [](void* device, const void* host, std::size_t bytes) { std::memcpy(device, host, bytes); return Status{}; },
               .read = [](void* host, const void* device, std::size_t bytes) { std::memcpy(host, device, bytes); return Status{}; }},
};

}  // namespace detail
}  // namespace tamis
