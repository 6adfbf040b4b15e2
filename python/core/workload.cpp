// The score patterns of workload.hpp.

#include "tamis/workload.hpp"

#include "arguments.hpp"
#include "calls.hpp"

namespace tamis::python {
namespace {

workload::Target target_of(const Array& array) {
  require_rank(array, 2);
  require_contiguous_rows(array);
  require_writable(array);
  require_device(array, {dlpack::cpu, 0}, "host memory");
  return {array.data, score_type_of(array), array.shape[0], array.shape[1],
          array.shape[0] > 1 ? array.stride[0] : array.shape[1]};
}

Status run(const char* pattern, unsigned long long seed, const workload::Target& target, long long first_row) {
  const WithoutTheLock without;
  return workload::generate(pattern, seed, target, first_row);
}

}  // namespace

// pattern, seed, array, first_row
PyObject* generate(PyObject*, PyObject* arguments) {
  return guarded([&] {
    const char* pattern = nullptr;
    unsigned long long seed = 0;
    long long first_row = 0;
    PyObject* object = nullptr;
    if (PyArg_ParseTuple(arguments, "sKOL", &pattern, &seed, &object, &first_row) == 0) throw Raised{};
    const Array array = read_array(object, "out");
    raise_unless_ok(run(pattern, seed, target_of(array), first_row));
    return none();
  });
}

// {name: sketch}
PyObject* patterns(PyObject*, PyObject*) {
  return guarded([&] {
    Reference all = checked(PyDict_New());
    for (const workload::Pattern& pattern : workload::patterns()) {
      const Reference sketch = checked(PyUnicode_FromString(pattern.sketch.data()));
      if (PyDict_SetItemString(all.get(), pattern.name.data(), sketch.get()) != 0) throw Raised{};
    }
    return all.release();
  });
}

}  // namespace tamis::python
