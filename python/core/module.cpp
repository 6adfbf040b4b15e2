// The extension module tamis._core: the library's functions on arrays. tamis/*.py are what a user sees.

#include "calls.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

PyMethodDef* functions() {
  static PyMethodDef list[] = {{"select", fast(select), METH_FASTCALL, nullptr},
                               {"merge", fast(merge), METH_FASTCALL, nullptr},
                               {"verify", fast(verify), METH_FASTCALL, nullptr},
                               {"describe", describe, METH_O, nullptr},
                               {"plan_select", plan_select, METH_VARARGS, nullptr},
                               {"plan_merge", plan_merge, METH_VARARGS, nullptr},
                               {"known_device", known_device, METH_VARARGS, nullptr},
                               {"present_device", present_device, METH_VARARGS, nullptr},
                               {"cpu_device", cpu_device, METH_VARARGS, nullptr},
                               {"emulated_device", emulated_device, METH_VARARGS, nullptr},
                               {"generate", generate, METH_VARARGS, nullptr},
                               {"patterns", patterns, METH_NOARGS, nullptr},
                               {}};
  return list;
}

PyObject* make_module() {
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "tamis._core", nullptr, -1, functions(), nullptr, nullptr, nullptr, nullptr};
  Reference module = checked(PyModule_Create(&definition));
  add_device_type(module.get());
  add_plan_type(module.get());
  add_threads_type(module.get());
  if (PyModule_AddStringConstant(module.get(), "version", version().data()) != 0) throw Raised{};
  return module.release();
}

}  // namespace
}  // namespace tamis::python

PyMODINIT_FUNC PyInit__core() {
  return tamis::python::guarded([] { return tamis::python::make_module(); });
}
