// What the examples for a GPU share: an array on the device, scores to select from, and a verdict.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tamis/tamis.hpp"
#include "tamis/workload.hpp"

// Ends the program when a call of the runtime fails.
inline void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}
inline void must(const tamis::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message.c_str());
  std::exit(1);
}

template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) { must(cudaMalloc(&data_, (count + 1) * sizeof(T))); }
  explicit Array(const std::vector<T>& values) : Array(values.size()) { write(values); }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return static_cast<T*>(data_); }
  void write(const std::vector<T>& values) {
    must(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    must(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t count_;
  void* data_ = nullptr;
};

// The first GPU; ends the program with 77 where there is none.
inline tamis::Device first_gpu() {
  const auto found = tamis::devices(tamis::Backend::cuda);
  if (found.ok() && !found.value.empty()) return found.value.front();
  std::fprintf(stderr, "%s\n", found.status.message.c_str());
  std::exit(77);
}

inline std::vector<float> scores_for(const tamis::Shape& shape, std::uint64_t seed) {
  std::vector<float> scores(static_cast<std::size_t>(shape.rows * shape.width));
  must(tamis::workload::generate("normal", seed,
                                 {scores.data(), tamis::ScoreType::f32, shape.rows, shape.width, shape.width}));
  return scores;
}

// Prints whether `indices` is exactly what was to be selected; 0 if it is.
inline int judge(const char* what, const tamis::Shape& shape, const std::vector<float>& scores,
                 std::vector<std::int32_t> indices, const std::vector<std::int32_t>& lengths = {}) {
  const auto report = tamis::verify(
      shape, {.scores = scores.data(), .stride = shape.width, .lengths = lengths.empty() ? nullptr : lengths.data()},
      {.indices = indices.data()});
  must(report.status);
  std::printf("%s: %s\n", what, report.value.exact() ? "exact" : report.value.message.c_str());
  return report.value.exact() ? 0 : 1;
}
