// The C ABI with any field of any struct spoilt: a code and a terminated message, or the work done; never a crash, and
// no output touched when refused. Arrays are as large as the largest accepted shape needs, so that an accepted call is
// right.

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "fuzz/bytes.hpp"
#include "tamis/tamis.h"

namespace {

using tamis::testing::Bytes;

constexpr std::int64_t most_rows = 4, most_columns = 40, most_k = 50;
constexpr std::size_t room = 4096;  // elements of each array; rows * stride stays below

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Mostly a small number, sometimes one that must be refused.
std::int64_t spoilt(Bytes& bytes, std::int64_t low, std::int64_t high) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t inside = bytes.within(low, high);
  return bytes.one_of<std::int64_t>({inside, inside, inside, inside, inside, inside, -1, least, most});
}

std::int32_t spoilt_enumerator(Bytes& bytes, std::int64_t last) {
  const auto inside = static_cast<std::int32_t>(bytes.within(0, last));
  return bytes.one_of<std::int32_t>({inside, inside, inside, inside, inside, bytes.number<std::int32_t>()});
}

std::size_t spoilt_size(Bytes& bytes, std::size_t right) {
  return bytes.one_of<std::size_t>(
      {right, right, right, right, right, 0, 7, right - 4, std::numeric_limits<std::size_t>::max()});
}

// The array, null, or a byte off.
template <class T>
T* spoilt_pointer(Bytes& bytes, T* array) {
  auto* off = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(array) + 1);
  return bytes.one_of<T*>({array, array, array, array, array, nullptr, off});
}

struct Arrays {
  std::vector<double> scores = std::vector<double>(room), out_scores = std::vector<double>(room),
                      slots = std::vector<double>(room);
  std::vector<std::int32_t> lengths = std::vector<std::int32_t>(room), indices = std::vector<std::int32_t>(room, 77),
                            counts = std::vector<std::int32_t>(room, 77), numbers = std::vector<std::int32_t>(room);
};

tamis_shape any_shape(Bytes& bytes) {
  tamis_shape shape = TAMIS_SHAPE_INIT;
  shape.size = spoilt_size(bytes, sizeof shape);
  shape.rows = spoilt(bytes, 0, most_rows);
  shape.width = spoilt(bytes, 0, most_columns);
  shape.k = spoilt(bytes, 1, most_k);
  shape.score_type = spoilt_enumerator(bytes, 2);
  shape.next_n = static_cast<std::int32_t>(spoilt(bytes, 1, 3));
  shape.divisor = static_cast<std::int32_t>(spoilt(bytes, 1, 3));
  shape.ties = spoilt_enumerator(bytes, 1);
  shape.order = spoilt_enumerator(bytes, 2);
  shape.nan = spoilt_enumerator(bytes, 1);
  return shape;
}

tamis_rows any_rows(Bytes& bytes, Arrays& arrays) {
  tamis_rows rows = TAMIS_ROWS_INIT;
  rows.size = spoilt_size(bytes, sizeof rows);
  rows.scores = spoilt_pointer<const double>(bytes, arrays.scores.data());
  rows.stride = spoilt(bytes, 0, 100);
  rows.lengths = spoilt_pointer<const std::int32_t>(bytes, arrays.lengths.data());
  rows.starts = spoilt_pointer<const std::int32_t>(bytes, arrays.numbers.data());
  return rows;
}

tamis_output any_output(Bytes& bytes, Arrays& arrays, tamis_faults* faults) {
  tamis_output output = TAMIS_OUTPUT_INIT;
  output.size = spoilt_size(bytes, sizeof output);
  output.indices = spoilt_pointer(bytes, arrays.indices.data());
  output.indices_stride = spoilt(bytes, 0, 100);
  output.slots = spoilt_pointer(bytes, arrays.slots.data());
  output.slots_stride = spoilt(bytes, 0, 100);
  output.scores = spoilt_pointer(bytes, arrays.out_scores.data());
  output.scores_stride = spoilt(bytes, 0, 100);
  output.counts = spoilt_pointer(bytes, arrays.counts.data());
  output.slot_type = spoilt_enumerator(bytes, 1);
  output.mapping = spoilt_enumerator(bytes, 2);
  output.page_table = spoilt_pointer<const std::int32_t>(bytes, arrays.numbers.data());
  output.tables = spoilt(bytes, 0, 8);
  output.columns = spoilt(bytes, 0, 40);
  output.page_table_stride = spoilt(bytes, 0, 100);
  output.table_of_row = spoilt_pointer<const std::int32_t>(bytes, arrays.numbers.data());
  output.cu_rows = spoilt_pointer<const std::int32_t>(bytes, arrays.numbers.data() + 8);
  output.page_start = spoilt_pointer<const std::int32_t>(bytes, arrays.numbers.data());
  output.offsets = spoilt_pointer<const std::int32_t>(bytes, arrays.numbers.data());
  output.faults = spoilt_pointer(bytes, faults);
  output.page_size = static_cast<std::int32_t>(spoilt(bytes, 1, 9));
  return output;
}

void require_words(tamis_code code, const tamis_error& error) {
  if (code == TAMIS_OK) return;
  require(error.code == code, "the error has another code than the call");
  require(error.message[0] != 0, "an error without words");
  require(std::memchr(error.message, 0, sizeof error.message) != nullptr, "a message without an end");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  Arrays arrays;
  const tamis_shape shape = any_shape(bytes);
  for (std::size_t i = 0; i < 16; ++i) arrays.lengths[i] = bytes.number<std::int32_t>();
  const tamis_rows rows = any_rows(bytes, arrays);
  tamis_faults faults = TAMIS_FAULTS_INIT;
  const tamis_output output = any_output(bytes, arrays, &faults);
  for (double& score : arrays.scores) score = static_cast<double>(bytes.number<std::uint8_t>());

  tamis_error error = TAMIS_ERROR_INIT;
  tamis_device* device = nullptr;
  tamis_plan* plan = nullptr;
  require_words(tamis_device_cpu(static_cast<std::int32_t>(spoilt(bytes, 1, 2)), &device, &error), error);
  error = TAMIS_ERROR_INIT;
  require_words(tamis_plan_select(&shape, device, &plan, &error), error);
  std::vector<unsigned char> workspace(tamis_plan_workspace_bytes(plan) + 1);
  const std::size_t lent = workspace.size() - static_cast<std::size_t>(bytes.one_of({1, 1, 1, 1, 0}));
  error = TAMIS_ERROR_INIT;
  // Wide shapes that planning accepts are not run: the arrays here are small.
  const bool small = shape.rows <= most_rows && shape.width <= most_columns && shape.k <= most_k;
  if (small) {
    const tamis_code code = tamis_select(plan, &rows, &output, workspace.data(), lent, nullptr, &error);
    require_words(code, error);
    if (code != TAMIS_OK)
      for (std::int32_t index : arrays.indices) require(index == 77, "a refused call wrote to an output");
    tamis_report report = TAMIS_REPORT_INIT;
    error = TAMIS_ERROR_INIT;
    const tamis_code judged = tamis_verify(&shape, &rows, &output, &report, &error);
    require_words(judged, error);
  }
  tamis_plan_free(plan);
  tamis_device_free(device);
  return 0;
}
