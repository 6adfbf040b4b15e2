// The module's types: Device, Plan and Threads, immutable values of the library as Python objects.
#pragma once

#include <cstdint>

#include "python.hpp"

namespace tamis::python {

// Each adds its type to the module, before anything else is called; raises where that fails.
void add_device_type(PyObject* module);
void add_plan_type(PyObject* module);
void add_threads_type(PyObject* module);

PyObject* new_device(Device device);
PyObject* new_plan(Plan plan);

// The value inside `object`; raises TypeError where it is something else.
const Device& device_of(PyObject* object);
const Plan& plan_of(PyObject* object);

bool is_threads(PyObject* object);

// The threads of `object`, made again where the process was forked since: threads do not survive a fork.
Threads& threads_of(PyObject* object);

}  // namespace tamis::python
