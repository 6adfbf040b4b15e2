// The runtime's idea of the device at hand, which belongs to the calling thread.
#pragma once

#include <cuda_runtime_api.h>

namespace tamis::cuda {

// Makes a device current for a while, if it is not.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) : error_(cudaGetDevice(&before_)) {
    if (error_ == cudaSuccess && before_ != ordinal) {
      error_ = cudaSetDevice(ordinal);
      changed_ = error_ == cudaSuccess;
    }
  }
  ~CurrentDevice() {
    if (changed_) cudaSetDevice(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  cudaError_t error() const { return error_; }

 private:
  int before_ = 0;
  bool changed_ = false;
  cudaError_t error_;
};

}  // namespace tamis::cuda
