#include "kernels/usual_call.hpp"

#include <bit>
#include <limits>

namespace tamis::kernels {
namespace {

bool usual_rows(const Shape& shape, const Rows& rows) {
  return shape.scores == ScoreType::f32 && shape.width >= 4 && shape.length_rule == LengthRule{} &&
         rows.starts == nullptr && reinterpret_cast<std::uintptr_t>(rows.scores) % 16 == 0 && rows.stride % 4 == 0;
}

bool one_output(const Output& output) {
  return (output.slots == nullptr) != (output.indices == nullptr) && output.slot_type == SlotType::i32 &&
         output.scores == nullptr && output.counts == nullptr;
}

bool usual_pages(const Shape& shape, const PageTable& table) {
  const auto size = static_cast<std::uint32_t>(table.page_size);
  return table.table_of_row == nullptr && table.cu_rows == nullptr && table.page_start == nullptr &&
         table.entries != nullptr && table.tables >= shape.rows && size >= UsualCall::least_page &&
         std::has_single_bit(size) && table.columns <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

UsualCall usual_call_of(const Shape& shape, const Rows& rows, const Output& output) {
  if (!usual_rows(shape, rows) || !one_output(output)) return {};
  const bool slots = output.slots != nullptr;
  if (slots && (output.mapping != Mapping::paged || !usual_pages(shape, output.page_table))) return {};
  UsualCall call{.scores = static_cast<const float*>(rows.scores),
                 .stride = rows.stride,
                 .lengths = rows.lengths,
                 .selected = slots ? static_cast<std::int32_t*>(output.slots) : output.indices,
                 .selected_stride = slots ? output.slots_stride : output.indices_stride,
                 .rows = static_cast<std::int32_t>(shape.rows),
                 .width = static_cast<std::int32_t>(shape.width),
                 .k = static_cast<std::int32_t>(shape.k),
                 .columns = std::numeric_limits<std::int32_t>::max()};
  if (!slots) return call;
  call.pages = output.page_table.entries;
  call.pages_stride = output.page_table.stride;
  call.columns = static_cast<std::int32_t>(output.page_table.columns);
  call.page_shift = std::countr_zero(static_cast<std::uint32_t>(output.page_table.page_size));
  return call;
}

}  // namespace tamis::kernels
