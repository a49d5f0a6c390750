#include "device/kernels.h"

#include "cpu/cpu_kernels.h"
#include "cuda/cuda_kernels.h"
#include "kernels/tally.h"

namespace kb::device {

void Tally::Merge(const Tally& other) { kernels::MergeInto(this, other); }

base::Result<uint64_t> Kernels::CountDifferent(const std::byte* a,
                                               const std::byte* b,
                                               size_t bytes) {
  const Pair pair{a, b, bytes};
  KB_ASSIGN(const auto counts, CountDifferent(std::span(&pair, 1)));
  return counts.front();
}

base::Result<std::unique_ptr<Kernels>> Kernels::Create(Device* device) {
  if (device->is_cuda()) return cuda::CreateCudaKernels(device);
  return CreateCpuKernels();
}

}  // namespace kb::device
