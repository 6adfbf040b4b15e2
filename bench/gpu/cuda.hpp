// The few CUDA objects the benchmark holds, owned. Every failed call throws with what was called and why: a
// measurement that met an error is no measurement.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace tamis::bench {

inline void require(cudaError_t status, const char* call) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
}

#define TAMIS_REQUIRE(call) ::tamis::bench::require((call), #call)

// Device memory for `size` values of T.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) { TAMIS_REQUIRE(cudaMalloc(&data_, size * sizeof(T))); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  // Room for at least `size` values; what was there is lost when it has to grow.
  T* reserve(std::size_t size) {
    if (size > size_) {
      *this = Buffer();
      *this = Buffer(size);
    }
    return data_;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

class Stream {
 public:
  Stream() { TAMIS_REQUIRE(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }
  void wait() const { TAMIS_REQUIRE(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { TAMIS_REQUIRE(cudaEventCreate(&event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream) const { TAMIS_REQUIRE(cudaEventRecord(event_, stream)); }
  double microseconds_since(const Event& begin) const {
    float milliseconds = 0;
    TAMIS_REQUIRE(cudaEventElapsedTime(&milliseconds, begin.event_, event_));
    return milliseconds * 1000.0;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// What `enqueue(stream)` puts on the stream, captured once to be replayed.
class Graph {
 public:
  template <class Enqueue>
  Graph(cudaStream_t stream, Enqueue enqueue) {
    TAMIS_REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    enqueue(stream);
    cudaGraph_t graph = nullptr;
    TAMIS_REQUIRE(cudaStreamEndCapture(stream, &graph));
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    TAMIS_REQUIRE(status);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(graph_); }
  void launch(cudaStream_t stream) const { TAMIS_REQUIRE(cudaGraphLaunch(graph_, stream)); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace tamis::bench
