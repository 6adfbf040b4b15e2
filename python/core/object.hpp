// How a value of the library becomes a Python object: the value behind the object's head, and getters that read it.
#pragma once

#include <new>
#include <string_view>
#include <utility>

#include "python.hpp"

namespace tamis::python {

template <class Value>
struct Object {
  PyObject_HEAD Value value;
};

template <class Value>
Value& value_of(PyObject* object) {
  return reinterpret_cast<Object<Value>*>(object)->value;
}

template <class Value>
PyObject* make(PyTypeObject* type, Value value) {
  Reference object = checked(PyType_GenericAlloc(type, 0));
  new (&value_of<Value>(object.get())) Value(std::move(value));
  return object.release();
}

template <class Value>
void destroy(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  value_of<Value>(object).~Value();
  PyObject_Free(object);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

inline PyObject* text(std::string_view value) {
  return PyUnicode_FromStringAndSize(value.data(), static_cast<Py_ssize_t>(value.size()));
}

// A getter that reads `value` through `read`, a function of the value that returns an owned PyObject*.
template <class Value, PyObject* (*read)(const Value&)>
PyObject* get(PyObject* object, void*) {
  return guarded([&] { return read(value_of<Value>(object)); });
}

#define TAMIS_ATTRIBUTE(Value, attribute, expression, doc)                                                   \
  {                                                                                                          \
    attribute, get<Value, [](const Value& value) -> PyObject* { return expression; }>, nullptr, doc, nullptr \
  }

inline constexpr unsigned immutable = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE;

// Adds the type to the module and returns it.
PyTypeObject* add_type(PyObject* module, PyType_Spec& spec);

// Raises TypeError, saying what `argument` must be, unless `object` is of `type`.
void require_type_of(PyObject* object, PyTypeObject* type, const char* argument, const char* must);

}  // namespace tamis::python
