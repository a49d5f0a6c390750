import importlib.util
import os

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = """
torch::Tensor matmul_residual(torch::Tensor a, torch::Tensor b, torch::Tensor c,
                              double alpha);
"""

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <cutlass/gemm/device/gemm.h>
#include <torch/extension.h>

using RowMajor = cutlass::layout::RowMajor;
// float on the CUDA cores: no rounding to TF32.
using Gemm =
    cutlass::gemm::device::Gemm<float, RowMajor, float, RowMajor, float,
                                RowMajor>;

torch::Tensor matmul_residual(torch::Tensor a, torch::Tensor b, torch::Tensor c,
                              double alpha) {
  const auto left = a.contiguous();
  const auto right = b.contiguous();
  const auto residual = c.contiguous();
  auto out = torch::empty_like(residual);
  const int m = left.size(0);
  const int n = right.size(1);
  const int k = left.size(1);
  const Gemm::Arguments arguments(
      {m, n, k}, {left.data_ptr<float>(), k}, {right.data_ptr<float>(), n},
      {residual.data_ptr<float>(), n}, {out.data_ptr<float>(), n},
      {static_cast<float>(alpha), 1.0f});
  Gemm gemm;
  const cutlass::Status status =
      gemm(arguments, nullptr, at::cuda::getCurrentCUDAStream());
  TORCH_CHECK(status == cutlass::Status::kSuccess,
              cutlass::cutlassGetStatusString(status));
  return out;
}
"""


def cutlass_headers() -> str:
    package = importlib.util.find_spec("cutlass_library")
    return os.path.join(os.path.dirname(package.origin), "source", "include")


extension = load_inline(
    name="matmul_residual",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["matmul_residual"],
    extra_include_paths=[cutlass_headers()],
    extra_cuda_cflags=["-O3", "-std=c++17"],
)


class ModelNew(nn.Module):
    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(
        self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor
    ) -> torch.Tensor:
        return extension.matmul_residual(a, b, c, self.alpha)
