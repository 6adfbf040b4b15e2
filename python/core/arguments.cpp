#include "arguments.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "exchange.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

constexpr dlpack::DataType f32{dlpack::floating, 32, 1};
constexpr dlpack::DataType f16{dlpack::floating, 16, 1};
constexpr dlpack::DataType bf16{dlpack::bfloat, 16, 1};

std::string refusal(const char* name, const std::string& value, const std::string& must) {
  return fmt::format("{} {}; it must be {}", name, value, must);
}

// An output matrix [rows, k]. A stride below k would have rows overwrite each other.
struct Matrix {
  void* data = nullptr;
  std::int64_t stride = 0;
  dlpack::DataType type{};
};

Matrix matrix_of(const Array& array, const Expected& expected, Use use) {
  require_device(array, expected.device, "scores");
  require_rank(array, 2);
  require_shape(array, 0, expected.rows, "rows");
  require_shape(array, 1, expected.k, "k");
  require_contiguous_rows(array);
  if (use == Use::written) require_writable(array);
  const std::int64_t stride = expected.rows > 1 ? array.stride[0] : expected.k;
  if (stride < expected.k)
    raise(Code::invalid_argument, refusal(array.name, fmt::format("has stride {} between rows", stride),
                                          fmt::format("at least k = {}", expected.k)));
  return {array.data, stride, array.type};
}

Matrix read_matrix(PyObject* object, const char* name, const Expected& expected, Use use, Borrowed& borrowed) {
  std::optional<Array> array = read_optional(object, name);
  if (!array) return {};
  borrowed.keep(*array);
  return matrix_of(*array, expected, use);
}

void require_matrix_type(const Matrix& matrix, const char* name, dlpack::DataType type) {
  if (matrix.data == nullptr || matrix.type == type) return;
  raise(Code::invalid_argument, refusal(name, "is " + name_of(matrix.type), name_of(type)));
}

SlotType slot_type_of(const Matrix& slots) {
  if (slots.data == nullptr || slots.type == i32) return SlotType::i32;
  if (slots.type == i64) return SlotType::i64;
  raise(Code::invalid_argument, refusal("slots", "is " + name_of(slots.type), "int32 or int64"));
}

std::int32_t* read_counts(PyObject* object, const Expected& expected, Use use, Borrowed& borrowed) {
  std::optional<Array> array = read_optional(object, "counts");
  if (!array) return nullptr;
  borrowed.keep(*array);
  require_type(*array, i32);
  require_device(*array, expected.device, "scores");
  require_rank(*array, 1);
  require_shape(*array, 0, expected.rows, "rows");
  require_contiguous_rows(*array);
  if (use == Use::written) require_writable(*array);
  return static_cast<std::int32_t*>(array->data);
}

Faults* read_faults(PyObject* object, const Expected& expected, Borrowed& borrowed) {
  std::optional<Array> array = read_optional(object, "faults");
  if (!array) return nullptr;
  borrowed.keep(*array);
  require_type(*array, i64);
  require_device(*array, expected.device, "scores");
  require_rank(*array, 2);
  require_shape(*array, 0, sizeof(Faults) / sizeof(Fault), "kinds");
  require_shape(*array, 1, sizeof(Fault) / 8, "count and first row");
  require_contiguous_rows(*array);
  if (array->stride[0] != 2) raise(Code::invalid_argument, refusal("faults", "has gaps", "contiguous"));
  require_writable(*array);
  return static_cast<Faults*>(array->data);
}

// A table without a row for every row of scores needs to be told which row goes where.
void require_tables(const Array& table, const Expected& expected, const PageTable& result) {
  if (result.table_of_row != nullptr || result.cu_rows != nullptr || result.tables >= expected.rows) return;
  raise(Code::invalid_argument,
        refusal(table.name, fmt::format("has {} rows and neither table_of_row nor cu_rows is given", result.tables),
                fmt::format("of at least {} (rows)", expected.rows)));
}

PageTable read_page_table(const OutputObjects& objects, const Expected& expected, Borrowed& borrowed) {
  Array table = read_array(objects.page_table, "page_table");
  borrowed.keep(table);
  require_type(table, i32);
  require_device(table, expected.device, "scores");
  require_rank(table, 2);
  require_contiguous_rows(table);
  const auto vector = [&](PyObject* object, const char* name, std::int64_t size, const char* meaning) {
    return read_vector(object, name, size, meaning, expected.device, borrowed);
  };
  const std::int64_t page_size = read_int(objects.page_size, "page_size");
  if (page_size < 1 || page_size > std::numeric_limits<std::int32_t>::max())
    raise(Code::invalid_argument, refusal("page_size", fmt::format("is {}", page_size), "1 .. 2147483647"));
  const PageTable result{.entries = static_cast<const std::int32_t*>(table.data),
                         .tables = table.shape[0],
                         .columns = table.shape[1],
                         .stride = table.shape[0] > 1 ? table.stride[0] : table.shape[1],
                         .page_size = static_cast<std::int32_t>(page_size),
                         .table_of_row = vector(objects.table_of_row, "table_of_row", expected.rows, "rows"),
                         .cu_rows = vector(objects.cu_rows, "cu_rows", table.shape[0] + 1, "page table rows + 1"),
                         .page_start = vector(objects.page_start, "page_start", expected.rows, "rows")};
  require_tables(table, expected, result);
  return result;
}

// Arguments that only mean something beside another one.
void require_partner(PyObject* object, const char* name, PyObject* partner, const char* partner_name) {
  if (object == Py_None || partner != Py_None) return;
  raise(Code::invalid_argument, fmt::format("{} is given without {}; it must go with it", name, partner_name));
}

void require_one_mapping(const OutputObjects& objects) {
  if (objects.page_table != Py_None && objects.offsets != Py_None)
    raise(Code::invalid_argument, "page_table and offsets are both given; at most one of them may be");
  require_partner(objects.page_size, "page_size", objects.page_table, "page_table");
  require_partner(objects.table_of_row, "table_of_row", objects.page_table, "page_table");
  require_partner(objects.cu_rows, "cu_rows", objects.page_table, "page_table");
  require_partner(objects.page_start, "page_start", objects.page_table, "page_table");
}

void read_mapping(const OutputObjects& objects, const Expected& expected, Output& output, Borrowed& borrowed) {
  require_one_mapping(objects);
  if (objects.page_table != Py_None) {
    output.mapping = Mapping::paged;
    output.page_table = read_page_table(objects, expected, borrowed);
  }
  if (objects.offsets != Py_None) {
    output.mapping = Mapping::ragged;
    output.offsets = read_vector(objects.offsets, "offsets", expected.rows, "rows", expected.device, borrowed);
  }
}

std::array<Place, 4> places_of(const Output& output) {
  return {{{output.indices, "indices"},
           {output.slots, "slots"},
           {output.scores, "the output scores"},
           {output.counts, "the output counts"}}};
}

void require_apart(const Place& a, const Place& b) {
  if (a.data != nullptr && a.data == b.data)
    raise(Code::invalid_argument, fmt::format("{} and {} are the same memory; they must be apart", a.name, b.name));
}

void require_outputs_apart(const Output& output) {
  const std::array<Place, 4> places = places_of(output);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j) require_apart(places[i], places[j]);
}

}  // namespace

ScoreType score_type_of(const Array& scores) {
  if (scores.type == f32) return ScoreType::f32;
  if (scores.type == f16) return ScoreType::f16;
  if (scores.type == bf16) return ScoreType::bf16;
  raise(Code::invalid_argument, refusal(scores.name, "is " + name_of(scores.type), "float32, float16 or bfloat16"));
}

dlpack::DataType element_of(ScoreType type) {
  constexpr dlpack::DataType elements[] = {f32, f16, bf16};
  return elements[static_cast<int>(type)];
}

dlpack::Device memory_of(const Device& device) {
  if (device.backend == Backend::cuda) return {dlpack::cuda, device.ordinal};
  if (device.backend == Backend::hip) return {dlpack::rocm, device.ordinal};
  return {dlpack::cpu, 0};
}

Rows read_rows(const Array& scores, PyObject* lengths, PyObject* starts, std::int32_t next_n, Borrowed& borrowed) {
  require_contiguous_rows(scores);
  const std::int64_t rows = scores.shape[0];
  const std::int64_t requests = rows / next_n + (rows % next_n != 0 ? 1 : 0);
  return {.scores = scores.data,
          .stride = rows > 1 ? scores.stride[0] : scores.shape[1],
          .lengths = read_vector(lengths, "lengths", requests, "rows / next_n", scores.device, borrowed),
          .starts = read_vector(starts, "starts", rows, "rows", scores.device, borrowed)};
}

Output read_output(const OutputObjects& objects, const Expected& expected, Use use, Borrowed& borrowed) {
  const Matrix indices = read_matrix(objects.indices, "indices", expected, use, borrowed);
  const Matrix slots = read_matrix(objects.slots, "slots", expected, use, borrowed);
  const Matrix scores = read_matrix(objects.scores, "the output scores", expected, use, borrowed);
  require_matrix_type(indices, "indices", i32);
  require_matrix_type(scores, "the output scores", element_of(expected.scores));
  Output output{.indices = static_cast<std::int32_t*>(indices.data),
                .indices_stride = indices.stride,
                .slots = slots.data,
                .slots_stride = slots.stride,
                .slot_type = slot_type_of(slots),
                .scores = scores.data,
                .scores_stride = scores.stride,
                .counts = read_counts(objects.counts, expected, use, borrowed),
                .faults = use == Use::written ? read_faults(objects.faults, expected, borrowed) : nullptr};
  read_mapping(objects, expected, output, borrowed);
  require_outputs_apart(output);
  return output;
}

void require_apart(std::span<const Place> inputs, const Output& output) {
  for (const Place& written : places_of(output))
    for (const Place& read : inputs) require_apart(written, read);
}

Workspace read_workspace(PyObject* object, dlpack::Device device, Borrowed& borrowed) {
  std::optional<Array> array = read_optional(object, "workspace");
  if (!array) return {};
  borrowed.keep(*array);
  require_device(*array, device, "scores");
  require_rank(*array, 1);
  require_contiguous_rows(*array);
  require_writable(*array);
  return {array->data, static_cast<std::size_t>(array->shape[0]) * array->type.bits / 8};
}

Stream read_stream(PyObject* object, PyObject* array_object, const Array& array) {
  if (object == Py_None) return Stream(current_stream(array_object, array.exchange, array.device));
  if (is_threads(object)) {
    if (array.device.type != dlpack::cpu)
      raise(Code::invalid_argument, refusal("stream", "is tamis.Threads", "a stream of " + name_of(array.device)));
    return Stream(threads_of(object));
  }
  if (array.device.type == dlpack::cpu)
    raise(Code::invalid_argument, refusal("stream", "is a GPU's", "tamis.Threads or None, as scores is on the cpu"));
  void* address = PyLong_AsVoidPtr(object);
  if (PyErr_Occurred() != nullptr) raise_type("stream", object, "an address");
  return Stream(address);
}

std::int64_t read_int(PyObject* object, const char* name) {
  const Reference number(PyNumber_Index(object));
  if (!number) raise_type(name, object, "an int");
  int beyond = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &beyond);
  if (beyond != 0) raise_value(name, object, "an int of 64 bits");
  return value;
}

std::int32_t read_thread_count(PyObject* object, const char* name) {
  const std::int64_t count = read_int(object, name);
  if (count < 1 || count > 4096) raise_value(name, object, "1 .. 4096");
  return static_cast<std::int32_t>(count);
}

std::int32_t read_int32(PyObject* object, const char* name) {
  const std::int64_t value = read_int(object, name);
  if (value != static_cast<std::int32_t>(value)) raise_value(name, object, "an int of 32 bits");
  return static_cast<std::int32_t>(value);
}

}  // namespace tamis::python
