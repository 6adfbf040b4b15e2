#include "backends/hip/runtime.hpp"

namespace tamis::hip {

Status Runtime::current_device(int& ordinal) {
  return status_of(library().value.GetDevice(&ordinal), "choosing the device");
}

Status Runtime::set_device(int ordinal) { return status_of(library().value.SetDevice(ordinal), "choosing the device"); }

Status Runtime::enqueue(const Launch& launch, const Device& device, int kernel, kernels::Arguments arguments,
                        StreamHandle stream) {
  void* parameters[] = {&arguments};
  const auto tail = static_cast<unsigned>(launch.shared_bytes - static_shared_bytes(kernel));
  return status_of(library().value.ModuleLaunchKernel(function_of(device, kernel), static_cast<unsigned>(launch.blocks),
                                                      1, 1, static_cast<unsigned>(launch.threads), 1, 1, tail, stream,
                                                      parameters, nullptr),
                   "launching a kernel");
}

Status Runtime::synchronize(StreamHandle stream) {
  if (!library().ok()) return library().status;
  return status_of(library().value.StreamSynchronize(stream), "running kernels");
}

void* Runtime::allocate(std::size_t bytes) {
  void* data = nullptr;
  if (!library().ok()) return nullptr;
  if (library().value.Malloc(&data, bytes) == success) return data;
  (void)library().value.GetLastError();
  return nullptr;
}

void Runtime::release(void* data) {
  if (library().ok()) (void)library().value.Free(data);
}

Status Runtime::write(void* device, const void* host, std::size_t bytes) {
  if (!library().ok()) return library().status;
  return status_of(library().value.Memcpy(device, host, bytes, CopyKind::to_device), "copying to the device");
}

Status Runtime::read(void* host, const void* device, std::size_t bytes) {
  if (!library().ok()) return library().status;
  return status_of(library().value.Memcpy(host, device, bytes, CopyKind::to_host), "copying from the device");
}

}  // namespace tamis::hip
