#include "device/dlpack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <vector>

namespace kb::device {
namespace {

struct Owned {
  DLManagedTensor managed{};
  std::vector<int64_t> shape;
};

}  // namespace

DLDevice DLDeviceOf(const Device& device) {
  constexpr int32_t kCpu = 1, kCuda = 2;  // kDLCPU, kDLCUDA
  return {device.is_cuda() ? kCuda : kCpu, device.index()};
}

DLManagedTensor* NewManagedTensor(const record::TensorSpec& spec,
                                  std::byte* data, DLDevice device) {
  auto owned = std::make_unique<Owned>();
  owned->shape = spec.shape;
  const record::DLPackType type = record::ToDLPack(spec.dtype);
  owned->managed.dl_tensor = {data,
                              device,
                              static_cast<int32_t>(spec.shape.size()),
                              {type.code, type.bits, 1},
                              owned->shape.data(),
                              nullptr,
                              0};
  owned->managed.manager_ctx = owned.get();
  owned->managed.deleter = [](DLManagedTensor* self) {
    std::unique_ptr<Owned>(static_cast<Owned*>(self->manager_ctx)).reset();
  };
  return &owned.release()->managed;  // PyTorch owns it now
}

bool IsContiguous(const DLTensor& tensor) {
  if (tensor.strides == nullptr) return true;
  for (int32_t d = 0; d < tensor.ndim; ++d)
    if (tensor.shape[d] == 0) return true;
  int64_t stride = 1;
  for (int32_t d = tensor.ndim - 1; d >= 0; --d) {
    if (tensor.shape[d] != 1 && tensor.strides[d] != stride) return false;
    stride *= tensor.shape[d];
  }
  return true;
}

std::string Describe(const DLTensor& tensor) {
  const auto dtype = record::FromDLPack(tensor.dtype.code, tensor.dtype.bits,
                                        tensor.dtype.lanes);
  const std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
  return fmt::format("{}[{}] on {}",
                     dtype ? record::DTypeName(*dtype) : "unsupported dtype",
                     fmt::join(shape, ", "),
                     tensor.device.device_type == 1
                         ? std::string("cpu")
                         : fmt::format("cuda:{}", tensor.device.device_id));
}

}  // namespace kb::device
