// An array that the caller passed, seen without copying, and the checks that its shape, type and place are as an
// argument needs them. Invariant: memory is only looked at by the library, after every argument has been checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "dlpack.hpp"
#include "python.hpp"

namespace tamis::python {

inline constexpr int most_dimensions = 3;

struct Array {
  const char* name = "";
  void* data = nullptr;
  dlpack::DataType type{};
  dlpack::Device device{};
  int rank = 0;
  std::array<std::int64_t, most_dimensions> shape{};
  std::array<std::int64_t, most_dimensions> stride{};  // in elements
  bool read_only = false;
  const dlpack::Exchange* exchange = nullptr;  // of the framework, where it has one
  Reference owner;                             // keeps borrowed memory alive

  std::int64_t elements() const;
};

inline constexpr dlpack::DataType i32{dlpack::integer, 32, 1};
inline constexpr dlpack::DataType i64{dlpack::integer, 64, 1};

// The array that `object` is; `name` is the argument's, for messages, and must outlive it.
Array read_array(PyObject* object, const char* name);

// As read_array; nothing where `object` is None.
std::optional<Array> read_optional(PyObject* object, const char* name);

std::string name_of(dlpack::DataType type);
std::string name_of(dlpack::Device device);

// Each raises, naming the argument, its value and what it must be.
void require_type(const Array& array, dlpack::DataType type);
void require_device(const Array& array, dlpack::Device device, const char* like);
void require_rank(const Array& array, int rank);
void require_shape(const Array& array, int dimension, std::int64_t size, const char* meaning);
void require_contiguous_rows(const Array& array);
void require_writable(const Array& array);

// What the arrays of one call borrow, until the call is over.
class Borrowed {
 public:
  void keep(Array& array) {
    if (array.owner) owners_[count_++] = std::move(array.owner);
  }

 private:
  std::array<Reference, 16> owners_;  // more than any call has arrays
  std::size_t count_ = 0;
};

// An int32 vector of `size` entries on `device`, contiguous; null where `object` is None.
const std::int32_t* read_vector(PyObject* object, const char* name, std::int64_t size, const char* meaning,
                                dlpack::Device device, Borrowed& borrowed);

}  // namespace tamis::python
