#include "device/kernels.h"

#include "cpu/cpu_kernels.h"
#include "cuda/cuda_kernels.h"
#include "kernels/element.h"
#include "kernels/tally.h"

namespace kb::device {

void Tally::Merge(const Tally& other) { kernels::MergeInto(this, other); }

uint64_t SamplePlace(uint64_t seed, int64_t i, uint64_t words) {
  return kernels::Draw(seed, static_cast<uint64_t>(i)) % words;
}

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
