// How an object's memory is reached: the C functions of its type, which cost tens of nanoseconds and are remembered by
// type, or else the Python functions of tamis._arrays.
#pragma once

#include "dlpack.hpp"
#include "python.hpp"

namespace tamis::python {

// The exchange functions of the object's type; null where it has none that can view a tensor.
const dlpack::Exchange* exchange_of(PyObject* object);

// A DLPack capsule, or a tuple that array.cpp reads. Raises TypeError where `object` is no array.
Reference export_through_python(PyObject* object, const char* name);

// The stream that the framework of `object` puts its work on now.
void* current_stream(PyObject* object, const dlpack::Exchange* exchange, dlpack::Device device);

// Tells the framework of `object` that work on it is on that stream: one that cannot be told of streams waits for it.
void say_enqueued(PyObject* object, const dlpack::Exchange* exchange, dlpack::Device device);

}  // namespace tamis::python
