#include "python.hpp"

#include "object.hpp"

namespace tamis::python {
namespace {

// The exception class of a code: tamis.errors.BY_CODE[code]. Read when something is wrong, never on the way there.
Reference class_of(Code code) {
  const Reference module = checked(PyImport_ImportModule("tamis.errors"));
  const Reference classes = checked(PyObject_GetAttrString(module.get(), "BY_CODE"));
  const Reference number = checked(PyLong_FromLong(static_cast<long>(code)));
  return checked(PyObject_GetItem(classes.get(), number.get()));
}

}  // namespace

void raise(Code code, const std::string& message) {
  const Reference type = class_of(code);
  PyErr_SetString(type.get(), message.c_str());
  throw Raised{};
}

void raise_value(const char* name, PyObject* value, const char* must) {
  PyErr_Clear();
  PyErr_Format(class_of(Code::invalid_argument).get(), "%s is %R; it must be %s", name, value, must);
  throw Raised{};
}

void raise_type(const char* name, PyObject* value, const char* must) {
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s is %R; it must be %s", name, value, must);
  throw Raised{};
}

void raise_type_error(const std::string& message) {
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw Raised{};
}

PyTypeObject* add_type(PyObject* module, PyType_Spec& spec) {
  auto* type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)).release());
  if (PyModule_AddType(module, type) != 0) throw Raised{};
  return type;
}

void require_type_of(PyObject* object, PyTypeObject* type, const char* argument, const char* must) {
  if (Py_TYPE(object) != type) raise_type(argument, object, must);
}

}  // namespace tamis::python
