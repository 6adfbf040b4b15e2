// DLPack as frameworks exchange it: the tensor, its two capsules and the table of C functions that a tensor's type
// carries since DLPack 1.2. The layouts are the protocol's (dmlc.github.io/dlpack); only what tamis reads is named.
#pragma once

#include <cstdint>

namespace tamis::python::dlpack {

enum DeviceType : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, rocm = 10, rocm_host = 11, cuda_managed = 13 };

struct Device {
  std::int32_t type;
  std::int32_t ordinal;

  bool operator==(const Device&) const = default;
};

enum TypeCode : std::uint8_t { integer = 0, unsigned_integer = 1, floating = 2, bfloat = 4, complex = 5, boolean = 6 };

struct DataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;

  bool operator==(const DataType&) const = default;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t rank;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: contiguous
  std::uint64_t byte_offset;
};

// The capsule "dltensor".
struct Managed {
  Tensor tensor;
  void* context;
  void (*release)(Managed*);
};

struct Version {
  std::uint32_t major;
  std::uint32_t minor;
};

inline constexpr std::uint64_t read_only_flag = 1;

// The capsule "dltensor_versioned".
struct ManagedVersioned {
  Version version;
  void* context;
  void (*release)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};

// The capsule "dlpack_exchange_api", attribute __dlpack_c_exchange_api__ of a type. The functions return 0, or -1 with
// Python's error set. What `view` fills is borrowed from the object.
struct Exchange {
  Version version;
  Exchange* previous;
  void* allocate;
  void* own;
  void* give_back;
  int (*view)(void* object, Tensor* tensor);  // may be null
  int (*current_stream)(std::int32_t device_type, std::int32_t ordinal, void** stream);
};

}  // namespace tamis::python::dlpack
