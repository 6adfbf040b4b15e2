// verify: the output of any selector, in host memory, against its scores.

#include <fmt/format.h>

#include "arguments.hpp"
#include "calls.hpp"

namespace tamis::python {
namespace {

Shape read_shape(const Array& scores, PyObject* numbers) {
  int ties = 0, order = 0, nan = 0;
  PyObject *k = nullptr, *next_n = nullptr, *divisor = nullptr;
  if (PyArg_ParseTuple(numbers, "OOOiii", &k, &next_n, &divisor, &ties, &order, &nan) == 0) throw Raised{};
  return {.rows = scores.shape[0],
          .width = scores.shape[1],
          .k = read_int(k, "k"),
          .scores = score_type_of(scores),
          .length_rule = {read_int32(next_n, "next_n"), read_int32(divisor, "divisor")},
          .ties = Ties{ties},
          .order = Order{order},
          .nan = Nan{nan}};
}

Result<Report> run(const Shape& shape, const Rows& rows, const Output& output) {
  const WithoutTheLock without;
  return tamis::verify(shape, rows, output);
}

PyObject* tuple_of(const Report& report) {
  return Py_BuildValue("(LLsLLLs)", static_cast<long long>(report.rows), static_cast<long long>(report.wrong_rows),
                       name(report.finding).data(), static_cast<long long>(report.row),
                       static_cast<long long>(report.entry), static_cast<long long>(report.position),
                       report.message.c_str());
}

}  // namespace

// numbers (k, next_n, divisor, ties, order, nan), scores, lengths, starts, then indices, slots, scores, counts,
// page_table, page_size, table_of_row, cu_rows, page_start, offsets
PyObject* verify(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    if (count != 14) raise_type_error("14 arguments are needed");
    Borrowed borrowed;
    Array scores = read_array(arguments[1], "scores");
    borrowed.keep(scores);
    require_rank(scores, 2);
    require_device(scores, {dlpack::cpu, 0}, "host memory");
    const Shape shape = read_shape(scores, arguments[0]);
    if (shape.length_rule.next_n < 1)
      raise(Code::invalid_argument, fmt::format("next_n is {}; it must be 1 or more", shape.length_rule.next_n));
    const Rows rows = read_rows(scores, arguments[2], arguments[3], shape.length_rule.next_n, borrowed);
    PyObject* const* o = arguments + 4;
    const OutputObjects objects{o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8], o[9], Py_None};
    const Expected expected{shape.rows, shape.k, shape.scores, scores.device};
    const Result<Report> judged = run(shape, rows, read_output(objects, expected, Use::read, borrowed));
    raise_unless_ok(judged.status);
    return tuple_of(judged.value);
  });
}

}  // namespace tamis::python
