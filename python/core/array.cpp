#include "array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "exchange.hpp"

namespace tamis::python {
namespace {

[[noreturn]] void refuse(const Array& array, const std::string& value, const std::string& must) {
  raise(Code::invalid_argument, fmt::format("{} {}; it must be {}", array.name, value, must));
}

std::string shape_of(const Array& array) {
  const std::span<const std::int64_t> shape(array.shape.data(), static_cast<std::size_t>(array.rank));
  return fmt::format("({})", fmt::join(shape, ", "));
}

void check_rank(const char* name, int rank) {
  if (rank < 0 || rank > most_dimensions)
    raise(Code::invalid_argument, fmt::format("{} has {} dimensions; it must have 1 to 3", name, rank));
}

// Strides of an array whose producer states none.
void fill_contiguous(Array& array) {
  std::int64_t step = 1;
  for (int i = array.rank; i-- > 0;) {
    array.stride[i] = step;
    step *= array.shape[i];
  }
}

// Memory that the host can read counts as the CPU's, memory that moves as the GPU's.
dlpack::Device plain(dlpack::Device device) {
  switch (device.type) {
    case dlpack::cuda_host:
    case dlpack::rocm_host:
    case dlpack::cpu:
      return {dlpack::cpu, 0};
    case dlpack::cuda_managed:
      return {dlpack::cuda, device.ordinal};
    default:
      return device;
  }
}

void fill(Array& array, const dlpack::Tensor& tensor) {
  check_rank(array.name, tensor.rank);
  array.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  array.type = tensor.type;
  array.device = plain(tensor.device);
  array.rank = tensor.rank;
  for (int i = 0; i < tensor.rank; ++i) array.shape[i] = tensor.shape[i];
  if (tensor.strides == nullptr) return fill_contiguous(array);
  for (int i = 0; i < tensor.rank; ++i) array.stride[i] = tensor.strides[i];
}

void fill_from_capsule(Array& array, PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    const auto* managed = static_cast<dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    array.read_only = (managed->flags & dlpack::read_only_flag) != 0;
    return fill(array, managed->tensor);
  }
  auto* managed = static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (managed == nullptr) throw Raised{};
  fill(array, managed->tensor);
}

// (address, read only, type code, bits, shape, strides in bytes or None): host memory without DLPack.
void fill_from_tuple(Array& array, PyObject* tuple) {
  unsigned long long address = 0;
  int read_only = 0, code = 0, bits = 0;
  PyObject *shape = nullptr, *strides = nullptr;
  if (!PyArg_ParseTuple(tuple, "KiiiOO", &address, &read_only, &code, &bits, &shape, &strides)) throw Raised{};
  const auto rank = static_cast<int>(PyTuple_Size(shape));
  check_rank(array.name, rank);
  array.data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  array.read_only = read_only != 0;
  array.type = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  array.device = {dlpack::cpu, 0};
  array.rank = rank;
  for (int i = 0; i < rank; ++i) array.shape[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
  fill_contiguous(array);
  if (strides == Py_None) return;
  const std::int64_t bytes = bits / 8;
  for (int i = 0; i < rank; ++i) {
    const std::int64_t step = PyLong_AsLongLong(PyTuple_GetItem(strides, i));
    if (step % bytes != 0) refuse(array, fmt::format("has a stride of {} bytes", step), "whole elements apart");
    array.stride[i] = step / bytes;
  }
}

// Turns the framework's own error, which may go on for a page, into one that names the argument.
[[noreturn]] void refuse_as_framework_does(const Array& array) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const Reference owned[] = {Reference(type), Reference(value), Reference(trace)};
  const Reference words = checked(PyObject_Str(value));
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(words.get(), &size);
  if (text == nullptr) throw Raised{};
  const std::string_view message(text, static_cast<std::size_t>(size));
  raise(Code::invalid_argument,
        fmt::format("{} cannot be read: {}", array.name, message.substr(0, message.find('\n'))));
}

void view_through_python(Array& array, PyObject* object) {
  Reference exported = export_through_python(object, array.name);
  if (PyTuple_Check(exported.get()))
    fill_from_tuple(array, exported.get());
  else
    fill_from_capsule(array, exported.get());
  array.owner = std::move(exported);
}

}  // namespace

std::int64_t Array::elements() const {
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= shape[i];
  return count;
}

Array read_array(PyObject* object, const char* name) {
  Array array{.name = name};
  array.exchange = exchange_of(object);
  if (array.exchange != nullptr) {
    dlpack::Tensor tensor{};
    if (array.exchange->view(object, &tensor) != 0) refuse_as_framework_does(array);
    fill(array, tensor);
  } else {
    view_through_python(array, object);
  }
  if (array.data == nullptr && array.elements() > 0) refuse(array, "has no memory (it was freed)", "alive");
  return array;
}

std::optional<Array> read_optional(PyObject* object, const char* name) {
  if (object == Py_None) return std::nullopt;
  return read_array(object, name);
}

std::string name_of(dlpack::DataType type) {
  const auto plain_name = [&](const char* kind) { return fmt::format("{}{}", kind, type.bits); };
  if (type.lanes != 1) return "a vector type";
  switch (type.code) {
    case dlpack::integer:
      return plain_name("int");
    case dlpack::unsigned_integer:
      return plain_name("uint");
    case dlpack::floating:
      return plain_name("float");
    case dlpack::bfloat:
      return plain_name("bfloat");
    case dlpack::complex:
      return plain_name("complex");
    case dlpack::boolean:
      return "bool";
    default:
      return fmt::format("of DLPack type {}", type.code);
  }
}

std::string name_of(dlpack::Device device) {
  switch (device.type) {
    case dlpack::cpu:
      return "cpu";
    case dlpack::cuda:
      return fmt::format("cuda:{}", device.ordinal);
    case dlpack::rocm:
      return fmt::format("rocm:{}", device.ordinal);
    default:
      return fmt::format("device {} of DLPack type {}", device.ordinal, device.type);
  }
}

void require_type(const Array& array, dlpack::DataType type) {
  if (array.type != type) refuse(array, "is " + name_of(array.type), name_of(type));
}

void require_device(const Array& array, dlpack::Device device, const char* like) {
  if (array.device != device)
    refuse(array, "is on " + name_of(array.device), fmt::format("on {}, as {} is", name_of(device), like));
}

void require_rank(const Array& array, int rank) {
  if (array.rank != rank)
    refuse(array, "has shape " + shape_of(array), fmt::format("of {} dimension{}", rank, rank == 1 ? "" : "s"));
}

void require_shape(const Array& array, int dimension, std::int64_t size, const char* meaning) {
  if (array.shape[dimension] != size)
    refuse(array, "has shape " + shape_of(array),
           fmt::format("of size {} ({}) in dimension {}", size, meaning, dimension));
}

void require_contiguous_rows(const Array& array) {
  const int last = array.rank - 1;
  if (array.shape[last] > 1 && array.stride[last] != 1 && array.elements() > 0)
    refuse(array, fmt::format("has stride {} along its last dimension", array.stride[last]), "contiguous there");
}

void require_writable(const Array& array) {
  if (array.read_only) refuse(array, "is read-only", "writable");
}

const std::int32_t* read_vector(PyObject* object, const char* name, std::int64_t size, const char* meaning,
                                dlpack::Device device, Borrowed& borrowed) {
  std::optional<Array> array = read_optional(object, name);
  if (!array) return nullptr;
  borrowed.keep(*array);
  require_type(*array, i32);
  require_device(*array, device, "scores");
  require_rank(*array, 1);
  require_shape(*array, 0, size, meaning);
  require_contiguous_rows(*array);
  return static_cast<const std::int32_t*>(array->data);
}

}  // namespace tamis::python
