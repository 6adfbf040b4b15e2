// The functions of the module, as Python calls them. Their arguments are positional, and are stated in _core.pyi.
#pragma once

#include "python.hpp"

namespace tamis::python {

// ---- select.cpp
PyObject* select(PyObject*, PyObject* const* arguments, Py_ssize_t count);
PyObject* merge(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// ---- verify.cpp
PyObject* verify(PyObject*, PyObject* const* arguments, Py_ssize_t count);

// ---- describe.cpp
PyObject* describe(PyObject*, PyObject* object);
PyObject* plan_select(PyObject*, PyObject* arguments);
PyObject* plan_merge(PyObject*, PyObject* arguments);
PyObject* known_device(PyObject*, PyObject* arguments);
PyObject* present_device(PyObject*, PyObject* arguments);
PyObject* cpu_device(PyObject*, PyObject* arguments);
PyObject* emulated_device(PyObject*, PyObject* arguments);

// ---- workload.cpp
PyObject* generate(PyObject*, PyObject* arguments);
PyObject* patterns(PyObject*, PyObject*);

}  // namespace tamis::python
