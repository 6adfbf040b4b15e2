// Python's limited API for 3.10 and what makes it safe from C++: owned references, and an exception that says that
// Python's own is set. Every function of the module runs inside `guarded`, so no C++ exception reaches Python.
#pragma once

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030A0000
#endif
#include <Python.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "tamis/tamis.hpp"

namespace tamis::python {

// Thrown once Python's error indicator is set.
struct Raised {};

// Owns one reference, or none.
class Reference {
 public:
  Reference() = default;
  explicit Reference(PyObject* owned) : object_(owned) {}
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

// What a call of Python's API returned, or Raised where that is an error.
inline Reference checked(PyObject* owned) {
  if (owned == nullptr) throw Raised{};
  return Reference(owned);
}

// Sets the exception of tamis.errors that stands for `code` and throws Raised.
[[noreturn]] void raise(Code code, const std::string& message);

// InvalidArgument and TypeError that name an argument, show its value and say what it must be.
[[noreturn]] void raise_value(const char* name, PyObject* value, const char* must);
[[noreturn]] void raise_type(const char* name, PyObject* value, const char* must);
[[noreturn]] void raise_type_error(const std::string& message);

inline void raise_unless_ok(const Status& status) {
  if (!status.ok()) raise(status.code, status.message);
}

// Runs `body`, which returns an owned PyObject*; null, with Python's error set, where it throws.
template <class Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (const Raised&) {
    return nullptr;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::exception& failure) {
    PyErr_SetString(PyExc_RuntimeError, failure.what());
    return nullptr;
  }
}

inline PyObject* none() { return Py_NewRef(Py_None); }

// Lets other Python threads run while it lives.
class WithoutTheLock {
 public:
  WithoutTheLock() : state_(PyEval_SaveThread()) {}
  ~WithoutTheLock() { PyEval_RestoreThread(state_); }
  WithoutTheLock(const WithoutTheLock&) = delete;
  WithoutTheLock& operator=(const WithoutTheLock&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace tamis::python
