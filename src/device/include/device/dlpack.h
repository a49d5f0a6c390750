#pragma once

#include <cstddef>

#include "device/device.h"
#include "kernelbench/candidate.h"
#include "record/tensor.h"

// DLPack 0.x's exchange struct, which torch.from_dlpack accepts in a capsule
// named "dltensor".
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

namespace kb::device {

// Where tensors of the device lie, in DLPack's terms.
DLDevice DLDeviceOf(const Device& device);

// Borrows `data`, which must outlive the tensor. Freed by its deleter.
DLManagedTensor* NewManagedTensor(const record::TensorSpec& spec,
                                  std::byte* data, DLDevice device);

// Row-major without gaps.
bool IsContiguous(const DLTensor& tensor);

// "float32[3, 4] on cuda:0", for messages.
std::string Describe(const DLTensor& tensor);

}  // namespace kb::device
