#include "exchange.hpp"

#include <array>
#include <cstddef>

namespace tamis::python {
namespace {

constexpr std::uint32_t known_major = 1;

const dlpack::Exchange* known_version(const dlpack::Exchange* exchange) {
  while (exchange != nullptr && exchange->version.major > known_major) exchange = exchange->previous;
  return exchange;
}

const dlpack::Exchange* look_up(PyTypeObject* type) {
  const Reference capsule(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__"));
  if (!capsule || !PyCapsule_IsValid(capsule.get(), "dlpack_exchange_api")) {
    PyErr_Clear();
    return nullptr;
  }
  const auto* exchange =
      known_version(static_cast<dlpack::Exchange*>(PyCapsule_GetPointer(capsule.get(), "dlpack_exchange_api")));
  return exchange != nullptr && exchange->view != nullptr ? exchange : nullptr;
}

// The array types seen first, for the life of the process; a reference to each is held, so that no address is used
// again. Frameworks have a handful; what comes after them is looked up every time. Under Python's lock.
struct Seen {
  PyTypeObject* type;
  const dlpack::Exchange* exchange;
};
std::array<Seen, 8> seen{};

// A function of tamis._arrays, kept in `known`, which is no static's initialiser: a thread that waits for one holds
// Python's lock, which the one that makes it may need.
PyObject* helper(PyObject*& known, const char* name) {
  if (known != nullptr) return known;
  const Reference module = checked(PyImport_ImportModule("tamis._arrays"));
  known = checked(PyObject_GetAttrString(module.get(), name)).release();
  return known;
}
PyObject *export_function = nullptr, *stream_function = nullptr, *enqueued_function = nullptr;

}  // namespace

const dlpack::Exchange* exchange_of(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  for (Seen& entry : seen) {
    if (entry.type == type) return entry.exchange;
    if (entry.type != nullptr) continue;
    const dlpack::Exchange* exchange = look_up(type);
    if (PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), "__dlpack__") == 0) return exchange;
    Py_INCREF(reinterpret_cast<PyObject*>(type));
    entry = {type, exchange};
    return exchange;
  }
  return look_up(type);
}

Reference export_through_python(PyObject* object, const char* name) {
  return checked(PyObject_CallFunction(helper(export_function, "export"), "Os", object, name));
}

void* current_stream(PyObject* object, const dlpack::Exchange* exchange, dlpack::Device device) {
  if (device.type == dlpack::cpu) return nullptr;
  void* stream = nullptr;
  if (exchange != nullptr) {
    if (exchange->current_stream(device.type, device.ordinal, &stream) != 0) throw Raised{};
    return stream;
  }
  PyObject* const function = helper(stream_function, "current_stream");
  const Reference number = checked(PyObject_CallFunction(function, "Oi", object, static_cast<int>(device.ordinal)));
  stream = PyLong_AsVoidPtr(number.get());
  if (PyErr_Occurred() != nullptr) throw Raised{};
  return stream;
}

void say_enqueued(PyObject* object, const dlpack::Exchange* exchange, dlpack::Device device) {
  if (device.type == dlpack::cpu || exchange != nullptr) return;
  checked(PyObject_CallFunctionObjArgs(helper(enqueued_function, "enqueued"), object, nullptr));
}

}  // namespace tamis::python
