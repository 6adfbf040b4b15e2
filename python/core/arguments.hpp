// The arrays of a call as the library's Rows, Lists and Output: every argument checked against the shape and the device
// of the scores. Invariant: what cannot be used raises before anything is launched or written.
#pragma once

#include <span>

#include "array.hpp"

namespace tamis::python {

// What a plan or a shape says of the arrays.
struct Expected {
  std::int64_t rows;
  std::int64_t k;
  ScoreType scores;
  dlpack::Device device;
};

enum class Use { read, written };

// The Python objects of an output, None where there is none.
struct OutputObjects {
  PyObject* indices;
  PyObject* slots;
  PyObject* scores;
  PyObject* counts;
  PyObject* page_table;
  PyObject* page_size;  // an int
  PyObject* table_of_row;
  PyObject* cu_rows;
  PyObject* page_start;
  PyObject* offsets;
  PyObject* faults;
};

ScoreType score_type_of(const Array& scores);
dlpack::DataType element_of(ScoreType type);

// The device whose memory `device` works on, as arrays name it.
dlpack::Device memory_of(const Device& device);

Rows read_rows(const Array& scores, PyObject* lengths, PyObject* starts, std::int32_t next_n, Borrowed& borrowed);
Output read_output(const OutputObjects& objects, const Expected& expected, Use use, Borrowed& borrowed);
// Where an array begins.
struct Place {
  const void* data;
  const char* name;
};

// Raises where an output is one of the inputs.
void require_apart(std::span<const Place> inputs, const Output& output);
Workspace read_workspace(PyObject* object, dlpack::Device device, Borrowed& borrowed);

// `object` is None for the stream that the framework of `array` is on, Threads, or a stream's address as an int.
Stream read_stream(PyObject* object, PyObject* array_object, const Array& array);

// The number that `object` is, an int or what stands for one; raises, naming it, for anything else.
std::int64_t read_int(PyObject* object, const char* name);
std::int32_t read_thread_count(PyObject* object, const char* name);
std::int32_t read_int32(PyObject* object, const char* name);

}  // namespace tamis::python
