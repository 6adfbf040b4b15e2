// The structs of the C ABI read into their namesakes of the C++ API, and results written back. The asserts hold the
// two headers together. Invariant: of a struct the library only touches the bytes that its `size` covers.

#include "api/c_structs.hpp"

#include <cstring>
#include <type_traits>

#include "api/sized.hpp"

namespace tamis::detail {
namespace {

template <class Enum>
constexpr bool same(std::int32_t c, Enum cpp) {
  return c == static_cast<std::int32_t>(cpp);
}

static_assert(same(TAMIS_OK, Code::ok) && same(TAMIS_INVALID_ARGUMENT, Code::invalid_argument));
static_assert(same(TAMIS_WORKSPACE_TOO_SMALL, Code::workspace_too_small) &&
              same(TAMIS_PLAN_MISMATCH, Code::plan_mismatch));
static_assert(same(TAMIS_NO_DEVICE, Code::no_device) && same(TAMIS_BACKEND_ERROR, Code::backend_error));
static_assert(same(TAMIS_OUT_OF_MEMORY, Code::out_of_memory));
static_assert(same(TAMIS_F32, ScoreType::f32) && same(TAMIS_F16, ScoreType::f16) && same(TAMIS_BF16, ScoreType::bf16));
static_assert(same(TAMIS_I32, SlotType::i32) && same(TAMIS_I64, SlotType::i64));
static_assert(same(TAMIS_TIES_LOWEST_INDEX, Ties::lowest_index) && same(TAMIS_TIES_ANY, Ties::any));
static_assert(same(TAMIS_ORDER_ANY, Order::any) && same(TAMIS_ORDER_BY_INDEX, Order::by_index));
static_assert(same(TAMIS_ORDER_BY_SCORE, Order::by_score));
static_assert(same(TAMIS_NAN_LOWEST, Nan::lowest) && same(TAMIS_NAN_HIGHEST, Nan::highest));
static_assert(same(TAMIS_MAP_NONE, Mapping::none) && same(TAMIS_MAP_PAGED, Mapping::paged) &&
              same(TAMIS_MAP_RAGGED, Mapping::ragged));
static_assert(same(TAMIS_CPU, Backend::cpu) && same(TAMIS_CUDA, Backend::cuda) && same(TAMIS_HIP, Backend::hip));
static_assert(same(TAMIS_EMULATED, Backend::emulated));
static_assert(same(TAMIS_FINDING_NONE, Finding::none) && same(TAMIS_FINDING_WRONG_COUNT, Finding::wrong_count));
static_assert(same(TAMIS_FINDING_OUT_OF_RANGE, Finding::out_of_range));
static_assert(same(TAMIS_FINDING_DUPLICATE, Finding::duplicate) && same(TAMIS_FINDING_NOT_BEST, Finding::not_best));
static_assert(same(TAMIS_FINDING_WRONG_TIE, Finding::wrong_tie));
static_assert(same(TAMIS_FINDING_WRONG_ORDER, Finding::wrong_order));
static_assert(same(TAMIS_FINDING_WRONG_SCORE, Finding::wrong_score));
static_assert(same(TAMIS_FINDING_WRONG_SLOT, Finding::wrong_slot));
static_assert(same(TAMIS_FINDING_WRONG_PADDING, Finding::wrong_padding));

static_assert(sizeof(tamis_fault) == sizeof(Fault) && sizeof(tamis_faults) == sizeof(Faults));
static_assert(alignof(tamis_faults) == alignof(Faults) && std::is_standard_layout_v<Faults>);
static_assert(offsetof(tamis_fault, count) == offsetof(Fault, count));
static_assert(offsetof(tamis_fault, first_row) == offsetof(Fault, first_row));
static_assert(offsetof(tamis_faults, length) == offsetof(Faults, length));
static_assert(offsetof(tamis_faults, start) == offsetof(Faults, start));
static_assert(offsetof(tamis_faults, table_row) == offsetof(Faults, table_row));
static_assert(offsetof(tamis_faults, page) == offsetof(Faults, page));
static_assert(offsetof(tamis_faults, slot) == offsetof(Faults, slot));

// Sizes of version 0.1, the first: no caller has less. Fields added later do not change them.
constexpr std::size_t first_shape = offsetof(tamis_shape, nan) + sizeof(tamis_shape::nan);
constexpr std::size_t first_merge_shape = offsetof(tamis_merge_shape, nan) + sizeof(tamis_merge_shape::nan);
constexpr std::size_t first_rows = offsetof(tamis_rows, starts) + sizeof(tamis_rows::starts);
constexpr std::size_t first_lists = offsetof(tamis_lists, row_stride) + sizeof(tamis_lists::row_stride);
constexpr std::size_t first_output = offsetof(tamis_output, reserved) + sizeof(tamis_output::reserved);
constexpr std::size_t first_target = offsetof(tamis_target, reserved) + sizeof(tamis_target::reserved);
constexpr std::size_t first_report = offsetof(tamis_report, message) + sizeof(tamis_report::message);
constexpr std::size_t first_error = offsetof(tamis_error, message) + sizeof(tamis_error::message);

// Afterwards `to` holds the beginning of `from` that fits, terminated, and no part of a UTF-8 sequence.
template <std::size_t size>
void copy_text(std::string_view from, char (&to)[size]) noexcept {
  std::size_t length = std::min(from.size(), size - 1);
  while (length < from.size() && length > 0 && (static_cast<unsigned char>(from[length]) & 0xc0) == 0x80) --length;
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

Status check_reserved(std::string_view argument, std::int32_t value) {
  if (value == 0) return {};
  return {Code::invalid_argument, fmt::format("{} is {}; it must be 0", argument, value)};
}

PageTable page_table(const tamis_output& from) {
  return {.entries = from.page_table,
          .tables = from.tables,
          .columns = from.columns,
          .stride = from.page_table_stride,
          .page_size = from.page_size,
          .table_of_row = from.table_of_row,
          .cu_rows = from.cu_rows,
          .page_start = from.page_start};
}

}  // namespace

Status read(const tamis_shape* from, Shape& to) {
  tamis_shape known = TAMIS_SHAPE_INIT;
  if (Status status = read_sized("shape", from, first_shape, known); !status.ok()) return status;
  to = {.rows = known.rows,
        .width = known.width,
        .k = known.k,
        .scores = ScoreType{known.score_type},
        .length_rule = {known.next_n, known.divisor},
        .ties = Ties{known.ties},
        .order = Order{known.order},
        .nan = Nan{known.nan}};
  return {};
}

Status read(const tamis_merge_shape* from, MergeShape& to) {
  tamis_merge_shape known = TAMIS_MERGE_SHAPE_INIT;
  if (Status status = read_sized("shape", from, first_merge_shape, known); !status.ok()) return status;
  to = {.rows = known.rows,
        .lists = known.lists,
        .capacity = known.capacity,
        .k = known.k,
        .scores = ScoreType{known.score_type},
        .ties = Ties{known.ties},
        .order = Order{known.order},
        .nan = Nan{known.nan}};
  return {};
}

Status read(const tamis_rows* from, Rows& to) {
  tamis_rows known = TAMIS_ROWS_INIT;
  if (Status status = read_sized("rows", from, first_rows, known); !status.ok()) return status;
  to = {.scores = known.scores, .stride = known.stride, .lengths = known.lengths, .starts = known.starts};
  return {};
}

Status read(const tamis_lists* from, Lists& to) {
  tamis_lists known = TAMIS_LISTS_INIT;
  if (Status status = read_sized("lists", from, first_lists, known); !status.ok()) return status;
  to = {.scores = known.scores,
        .positions = known.positions,
        .counts = known.counts,
        .list_stride = known.list_stride,
        .row_stride = known.row_stride};
  return {};
}

Status read(const tamis_output* from, Output& to) {
  tamis_output known = TAMIS_OUTPUT_INIT;
  if (Status status = read_sized("output", from, first_output, known); !status.ok()) return status;
  if (Status status = check_reserved("output.reserved", known.reserved); !status.ok()) return status;
  to = {.indices = known.indices,
        .indices_stride = known.indices_stride,
        .slots = known.slots,
        .slots_stride = known.slots_stride,
        .slot_type = SlotType{known.slot_type},
        .scores = known.scores,
        .scores_stride = known.scores_stride,
        .counts = known.counts,
        .mapping = Mapping{known.mapping},
        .page_table = page_table(known),
        .offsets = known.offsets,
        .faults = reinterpret_cast<Faults*>(known.faults)};
  return {};
}

Status read(const tamis_target* from, workload::Target& to) {
  tamis_target known = TAMIS_TARGET_INIT;
  if (Status status = read_sized("target", from, first_target, known); !status.ok()) return status;
  if (Status status = check_reserved("target.reserved", known.reserved); !status.ok()) return status;
  to = {.scores = known.scores,
        .type = ScoreType{known.score_type},
        .rows = known.rows,
        .width = known.width,
        .stride = known.stride};
  return {};
}

Status check(const tamis_report* report) {
  if (report == nullptr) return missing_argument("report");
  return check_size("report", report->size, first_report, sizeof(tamis_report));
}

void write(const Report& from, tamis_report& to) {
  to.rows = from.rows;
  to.wrong_rows = from.wrong_rows;
  to.row = from.row;
  to.entry = from.entry;
  to.position = from.position;
  to.finding = static_cast<std::int32_t>(from.finding);
  copy_text(from.message, to.message);
}

void write(Code code, std::string_view message, tamis_error* error) noexcept {
  if (error == nullptr || error->size < first_error) return;
  error->code = static_cast<tamis_code>(code);
  copy_text(message, error->message);
}

}  // namespace tamis::detail
