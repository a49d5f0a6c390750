import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor attention(torch::Tensor q, torch::Tensor k, torch::Tensor v);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include <cmath>

constexpr int kWidth = 64;  // of a head
constexpr int kKeys = 32;   // in shared memory at a time
constexpr int kQueries = 64;

// One thread for each query. Keys and values pass through shared memory once
// for a block. When a larger score comes, what was summed before is scaled
// down, so that scores are never stored.
__global__ void __launch_bounds__(kQueries)
    attention_kernel(const float* __restrict__ q, const float* __restrict__ k,
                     const float* __restrict__ v, float* __restrict__ out,
                     int64_t rows) {
  __shared__ float keys[kKeys][kWidth], values[kKeys][kWidth];
  const int64_t head = blockIdx.y * rows * kWidth;
  const int64_t query = int64_t{blockIdx.x} * kQueries + threadIdx.x;
  const bool there = query < rows;
  float own[kWidth], sum[kWidth];
#pragma unroll
  for (int c = 0; c < kWidth; ++c) {
    own[c] = there ? q[head + query * kWidth + c] * rsqrtf(kWidth) : 0.0f;
    sum[c] = 0.0f;
  }
  float largest = -INFINITY, total = 0.0f;
  for (int64_t start = 0; start < rows; start += kKeys) {
    const int count = static_cast<int>(min(int64_t{kKeys}, rows - start));
    for (int i = threadIdx.x; i < count * kWidth; i += kQueries) {
      keys[i / kWidth][i % kWidth] = k[head + start * kWidth + i];
      values[i / kWidth][i % kWidth] = v[head + start * kWidth + i];
    }
    __syncthreads();
    for (int key = 0; key < count; ++key) {
      float score = 0.0f;
#pragma unroll
      for (int c = 0; c < kWidth; ++c) score += own[c] * keys[key][c];
      const float top = fmaxf(largest, score);
      const float shrink = expf(largest - top), weight = expf(score - top);
      total = total * shrink + weight;
#pragma unroll
      for (int c = 0; c < kWidth; ++c)
        sum[c] = sum[c] * shrink + weight * values[key][c];
      largest = top;
    }
    __syncthreads();
  }
  if (!there) return;
  for (int c = 0; c < kWidth; ++c)
    out[head + query * kWidth + c] = sum[c] / total;
}

torch::Tensor attention(torch::Tensor q, torch::Tensor k, torch::Tensor v) {
  const auto queries = q.contiguous();
  const auto keys = k.contiguous();
  const auto values = v.contiguous();
  auto out = torch::empty_like(queries);
  const int64_t heads = queries.size(0), rows = queries.size(1);
  TORCH_CHECK(queries.size(2) == kWidth, "heads must be ", kWidth, " wide");
  const dim3 grid(static_cast<unsigned>((rows + kQueries - 1) / kQueries),
                  static_cast<unsigned>(heads));
  attention_kernel<<<grid, kQueries, 0, at::cuda::getCurrentCUDAStream()>>>(
      queries.data_ptr<float>(), keys.data_ptr<float>(),
      values.data_ptr<float>(), out.data_ptr<float>(), rows);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
"""

extension = load_inline(
    name="online_softmax_attention",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["attention"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return extension.attention(q, k, v)
