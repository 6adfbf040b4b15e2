// select and merge: read the arguments, let other threads run, call the library.

#include <fmt/format.h>

#include "arguments.hpp"
#include "calls.hpp"
#include "exchange.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

void require_count(Py_ssize_t given, Py_ssize_t wanted) {
  if (given != wanted) raise_type_error(fmt::format("{} arguments were given; {} are needed", given, wanted));
}

// The last arguments of both calls, in this order.
OutputObjects output_objects(PyObject* const* objects) {
  return {.indices = objects[0],
          .slots = objects[1],
          .scores = objects[2],
          .counts = objects[3],
          .page_table = objects[4],
          .page_size = objects[5],
          .table_of_row = objects[6],
          .cu_rows = objects[7],
          .page_start = objects[8],
          .offsets = objects[9],
          .faults = objects[10]};
}

Expected expected_of(const Plan& plan, const Array& scores) {
  return {plan.shape().rows, plan.shape().k, plan.shape().scores, scores.device};
}

void require_plan_for(const Plan& plan, const Array& scores, std::int64_t rows) {
  if (score_type_of(scores) != plan.shape().scores)
    raise(Code::plan_mismatch,
          fmt::format("scores is {}; plan is for {}", name_of(scores.type), name_of(element_of(plan.shape().scores))));
  if (scores.device != memory_of(plan.device()))
    raise(Code::plan_mismatch, fmt::format("scores is on {}; plan is for {} ({})", name_of(scores.device),
                                           name_of(memory_of(plan.device())), plan.device().name));
  if (rows != plan.shape().rows)
    raise(Code::plan_mismatch, fmt::format("scores has {} rows; plan is for {}", rows, plan.shape().rows));
}

void require_width_of(const Plan& plan, const Array& scores) {
  if (scores.shape[1] != plan.shape().width)
    raise(Code::plan_mismatch,
          fmt::format("scores is {} wide; plan is for a width of {}", scores.shape[1], plan.shape().width));
}

void require_like(const Array& positions, const Array& scores) {
  require_type(positions, i32);
  require_device(positions, scores.device, "scores");
  require_rank(positions, 3);
  for (int i = 0; i < 3; ++i) require_shape(positions, i, scores.shape[i], "as scores has");
  for (int i = 0; i < 3; ++i)
    if (scores.shape[i] > 1 && positions.stride[i] != scores.stride[i])
      raise(Code::invalid_argument, fmt::format("positions has stride {} in dimension {}; it must be {}, as scores has",
                                                positions.stride[i], i, scores.stride[i]));
}

const std::int32_t* read_list_counts(PyObject* object, const Array& scores, Borrowed& borrowed) {
  std::optional<Array> counts = read_optional(object, "counts");
  if (!counts) return nullptr;
  borrowed.keep(*counts);
  require_type(*counts, i32);
  require_device(*counts, scores.device, "scores");
  require_rank(*counts, 2);
  require_shape(*counts, 0, scores.shape[0], "lists");
  require_shape(*counts, 1, scores.shape[1], "rows");
  require_contiguous_rows(*counts);
  if (counts->shape[0] > 1 && counts->elements() > 0 && counts->stride[0] != counts->shape[1])
    raise(Code::invalid_argument, "counts has gaps between lists; it must be contiguous");
  return static_cast<const std::int32_t*>(counts->data);
}

Rows rows_of(const Plan& plan, const Array& scores, PyObject* const* own, Borrowed& borrowed) {
  require_rank(scores, 2);
  require_plan_for(plan, scores, scores.shape[0]);
  require_width_of(plan, scores);
  return read_rows(scores, own[0], own[1], plan.shape().length_rule.next_n, borrowed);
}

// A stride of 0 means "tight" to the library, so that rows or lists that repeat cannot be said with it.
Lists lists_at(const Array& scores, const Array& positions, const std::int32_t* counts) {
  const std::int64_t row_stride = scores.shape[1] > 1 ? scores.stride[1] : scores.shape[2];
  const std::int64_t list_stride = scores.shape[0] > 1 ? scores.stride[0] : scores.shape[1] * row_stride;
  if (scores.elements() > 0 && (row_stride <= 0 || list_stride <= 0))
    raise(Code::invalid_argument,
          fmt::format("scores has strides {} and {}; they must be 1 or more", list_stride, row_stride));
  return {.scores = scores.data,
          .positions = static_cast<const std::int32_t*>(positions.data),
          .counts = counts,
          .list_stride = list_stride,
          .row_stride = row_stride};
}

Lists lists_of(const Plan& plan, const Array& scores, PyObject* const* own, Borrowed& borrowed) {
  require_rank(scores, 3);
  require_contiguous_rows(scores);
  require_plan_for(plan, scores, scores.shape[1]);
  Array positions = read_array(own[0], "positions");
  borrowed.keep(positions);
  require_like(positions, scores);
  return lists_at(scores, positions, read_list_counts(own[1], scores, borrowed));
}

std::array<Place, 3> places_of(const Rows& rows) {
  return {{{rows.scores, "scores"}, {rows.lengths, "lengths"}, {rows.starts, "starts"}}};
}

std::array<Place, 3> places_of(const Lists& lists) {
  return {{{lists.scores, "scores"}, {lists.positions, "positions"}, {lists.counts, "counts"}}};
}

Status run(const Plan& plan, const Rows& rows, const Output& output, Workspace workspace, Stream stream) {
  const WithoutTheLock without;
  return tamis::select(plan, rows, output, workspace, stream);
}

Status run(const Plan& plan, const Lists& lists, const Output& output, Workspace workspace, Stream stream) {
  const WithoutTheLock without;
  return tamis::merge(plan, lists, output, workspace, stream);
}

// A call, from `arguments` as stated below; `read_input` makes Rows or Lists of the two that are the call's own.
template <class ReadInput>
PyObject* call(PyObject* const* arguments, Py_ssize_t count, ReadInput read_input) {
  return guarded([&] {
    require_count(count, 17);
    Borrowed borrowed;
    const Plan& plan = plan_of(arguments[0]);
    Array scores = read_array(arguments[1], "scores");
    borrowed.keep(scores);
    const auto input = read_input(plan, scores, arguments + 2, borrowed);
    const Output output = read_output(output_objects(arguments + 4), expected_of(plan, scores), Use::written, borrowed);
    require_apart(places_of(input), output);
    const Workspace workspace = read_workspace(arguments[15], scores.device, borrowed);
    raise_unless_ok(run(plan, input, output, workspace, read_stream(arguments[16], arguments[1], scores)));
    say_enqueued(arguments[1], scores.exchange, scores.device);
    return none();
  });
}

}  // namespace

// plan, scores, lengths, starts, the output's, workspace, stream
PyObject* select(PyObject*, PyObject* const* arguments, Py_ssize_t count) { return call(arguments, count, rows_of); }

// plan, scores, positions, counts, the output's, workspace, stream
PyObject* merge(PyObject*, PyObject* const* arguments, Py_ssize_t count) { return call(arguments, count, lists_of); }

}  // namespace tamis::python
