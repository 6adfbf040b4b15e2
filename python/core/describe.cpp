// What an array is, which devices there are, and plans made from numbers.

#include <fmt/format.h>

#include "arguments.hpp"
#include "calls.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

template <class... Values>
void parse(PyObject* arguments, const char* format, Values*... values) {
  if (PyArg_ParseTuple(arguments, format, values...) == 0) throw Raised{};
}

template <class Value>
Value value_or_raise(Result<Value> result) {
  raise_unless_ok(result.status);
  return std::move(result.value);
}

}  // namespace

// (shape, score type or -1, DLPack device type, ordinal)
PyObject* describe(PyObject*, PyObject* object) {
  return guarded([&] {
    const Array array = read_array(object, "scores");
    Reference shape = checked(PyTuple_New(array.rank));
    for (int i = 0; i < array.rank; ++i)
      if (PyTuple_SetItem(shape.get(), i, PyLong_FromLongLong(array.shape[i])) != 0) throw Raised{};
    return Py_BuildValue("(Niii)", shape.release(), static_cast<int>(score_type_of(array)),
                         static_cast<int>(array.device.type), static_cast<int>(array.device.ordinal));
  });
}

// rows, width, k, score type, next_n, divisor, ties, order, nan, device
PyObject* plan_select(PyObject*, PyObject* arguments) {
  return guarded([&] {
    int scores = 0, ties = 0, order = 0, nan = 0;
    PyObject *rows = nullptr, *width = nullptr, *k = nullptr, *next_n = nullptr, *divisor = nullptr, *device = nullptr;
    parse(arguments, "OOOiOOiiiO", &rows, &width, &k, &scores, &next_n, &divisor, &ties, &order, &nan, &device);
    const Shape shape{.rows = read_int(rows, "rows"),
                      .width = read_int(width, "width"),
                      .k = read_int(k, "k"),
                      .scores = ScoreType{scores},
                      .length_rule = {read_int32(next_n, "next_n"), read_int32(divisor, "divisor")},
                      .ties = Ties{ties},
                      .order = Order{order},
                      .nan = Nan{nan}};
    return new_plan(value_or_raise(tamis::plan(shape, device_of(device))));
  });
}

// rows, lists, capacity, k, score type, ties, order, nan, device
PyObject* plan_merge(PyObject*, PyObject* arguments) {
  return guarded([&] {
    int scores = 0, ties = 0, order = 0, nan = 0;
    PyObject *rows = nullptr, *lists = nullptr, *capacity = nullptr, *k = nullptr, *device = nullptr;
    parse(arguments, "OOOOiiiiO", &rows, &lists, &capacity, &k, &scores, &ties, &order, &nan, &device);
    const MergeShape shape{.rows = read_int(rows, "rows"),
                           .lists = read_int(lists, "lists"),
                           .capacity = read_int(capacity, "capacity"),
                           .k = read_int(k, "k"),
                           .scores = ScoreType{scores},
                           .ties = Ties{ties},
                           .order = Order{order},
                           .nan = Nan{nan}};
    return new_plan(value_or_raise(tamis::plan(shape, device_of(device))));
  });
}

PyObject* known_device(PyObject*, PyObject* arguments) {
  return guarded([&] {
    const char* name = nullptr;
    parse(arguments, "s", &name);
    return new_device(value_or_raise(tamis::known_device(name)));
  });
}

// backend, ordinal
PyObject* present_device(PyObject*, PyObject* arguments) {
  return guarded([&] {
    int backend = 0;
    PyObject* number = nullptr;
    parse(arguments, "iO", &backend, &number);
    const std::int64_t ordinal = read_int(number, "ordinal");
    const std::vector<Device> found = value_or_raise(tamis::devices(Backend{backend}));
    if (ordinal < 0 || ordinal >= static_cast<std::int64_t>(found.size()))
      raise(Code::no_device, fmt::format("ordinal is {}; it must be 0 .. {}", ordinal, found.size() - 1));
    return new_device(found[static_cast<std::size_t>(ordinal)]);
  });
}

PyObject* cpu_device(PyObject*, PyObject* arguments) {
  return guarded([&] {
    PyObject* threads = nullptr;
    parse(arguments, "O", &threads);
    return new_device(tamis::cpu_device(read_thread_count(threads, "threads")));
  });
}

PyObject* emulated_device(PyObject*, PyObject* arguments) {
  return guarded([&] {
    int lanes = 0;
    parse(arguments, "i", &lanes);
    return new_device(tamis::emulated_device(lanes));
  });
}

}  // namespace tamis::python
