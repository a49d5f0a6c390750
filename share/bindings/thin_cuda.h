// ATen/cuda/CUDAContext.h for a source that asks for the current stream,
// changes to a tensor's device and checks CUDA's errors.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kb_thin.h"

// Of PyTorch's interface for what is compiled ahead of time, in C: not 0 is an
// error. Its device is the current one where it is -1.
extern "C" std::int32_t aoti_torch_get_current_cuda_stream(std::int32_t device,
                                                           void** stream);
extern "C" std::int32_t aoti_torch_create_cuda_guard(std::int32_t device,
                                                     void** guard);
extern "C" std::int32_t aoti_torch_delete_cuda_guard(void* guard);

namespace kb::tensors {

class CUDAStream {
 public:
  explicit CUDAStream(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t stream() const { return stream_; }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_;
};

inline CUDAStream getCurrentCUDAStream(std::int8_t device = -1) {
  void* stream = nullptr;
  TORCH_CHECK(aoti_torch_get_current_cuda_stream(device, &stream) == 0,
              "PyTorch tells no current stream of device ",
              static_cast<int>(device));
  return CUDAStream(static_cast<cudaStream_t>(stream));
}

// Without a device it does nothing.
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device> device) {
    if (!device) return;
    TORCH_CHECK(device->is_cuda(), "a guard of CUDA devices is given ",
                *device);
    Set(device->index());
  }
  explicit OptionalCUDAGuard(std::optional<std::int8_t> index) {
    if (index) Set(*index);
  }
  OptionalCUDAGuard(const OptionalCUDAGuard&) = delete;
  OptionalCUDAGuard& operator=(const OptionalCUDAGuard&) = delete;
  ~OptionalCUDAGuard() {
    if (guard_ != nullptr) aoti_torch_delete_cuda_guard(guard_);
  }

 private:
  void Set(std::int8_t index) {
    TORCH_CHECK(aoti_torch_create_cuda_guard(index, &guard_) == 0,
                "PyTorch does not change to device ", static_cast<int>(index));
  }

  void* guard_ = nullptr;
};

class CUDAGuard : OptionalCUDAGuard {
 public:
  explicit CUDAGuard(Device device)
      : OptionalCUDAGuard(std::optional(device)) {}
  explicit CUDAGuard(std::int8_t index)
      : OptionalCUDAGuard(std::optional(index)) {}
};

}  // namespace kb::tensors

namespace at {
KB_INLINE std::optional<kb::tensors::Device> device_of(const Tensor& tensor) {
  if (!tensor.defined()) return std::nullopt;
  return tensor.device();
}
}  // namespace at
namespace at::cuda {
using kb::tensors::CUDAGuard;
using kb::tensors::CUDAStream;
using kb::tensors::getCurrentCUDAStream;
using kb::tensors::OptionalCUDAGuard;
}  // namespace at::cuda
namespace c10::cuda {
using kb::tensors::CUDAGuard;
using kb::tensors::CUDAStream;
using kb::tensors::getCurrentCUDAStream;
using kb::tensors::OptionalCUDAGuard;
}  // namespace c10::cuda

// The message of PyTorch's own may end with what the driver logged.
#define C10_CUDA_CHECK(expression)                          \
  do {                                                      \
    const cudaError_t kb_error = expression;                \
    if (kb_error != cudaSuccess)                            \
      kb_cuda_fail(kb_error, __FILE__, __func__, __LINE__); \
  } while (0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK(expression) C10_CUDA_CHECK(expression)
