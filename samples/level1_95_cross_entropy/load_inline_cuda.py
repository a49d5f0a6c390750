# expect: correct cpu=not_run
# problem: level1/95
# about: load_inline with CUDA: a block per row, ATen takes the mean.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor cross_entropy(torch::Tensor scores, torch::Tensor targets);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include <cfloat>

constexpr int kThreads = 256;

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Tree over shared memory; every thread gets the result.
template <typename Op>
__device__ float block_reduce(float value, Op op) {
  __shared__ float values[kThreads];
  __syncthreads();
  values[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] = op(values[threadIdx.x], values[threadIdx.x + half]);
  }
  __syncthreads();
  return values[0];
}

__global__ void row_loss_kernel(const float* scores, const int64_t* targets,
                                float* losses, int64_t classes) {
  const float* row = scores + blockIdx.x * classes;
  float highest = -FLT_MAX;
  for (int64_t i = threadIdx.x; i < classes; i += kThreads)
    highest = fmaxf(highest, row[i]);
  highest = block_reduce(highest, Max());
  float sum = 0.0f;
  for (int64_t i = threadIdx.x; i < classes; i += kThreads)
    sum += expf(row[i] - highest);
  sum = block_reduce(sum, Add());
  if (threadIdx.x == 0)
    losses[blockIdx.x] = highest + logf(sum) - row[targets[blockIdx.x]];
}

torch::Tensor cross_entropy(torch::Tensor scores, torch::Tensor targets) {
  const auto input = scores.contiguous();
  auto losses = torch::empty({input.size(0)}, input.options());
  row_loss_kernel<<<input.size(0), kThreads, 0,
                    at::cuda::getCurrentCUDAStream()>>>(
      input.data_ptr<float>(), targets.data_ptr<int64_t>(),
      losses.data_ptr<float>(), input.size(1));
  return losses.mean();
}
"""

extension = load_inline(
    name="cross_entropy_cuda",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["cross_entropy"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(
        self, predictions: torch.Tensor, targets: torch.Tensor
    ) -> torch.Tensor:
        return extension.cross_entropy(predictions, targets)
