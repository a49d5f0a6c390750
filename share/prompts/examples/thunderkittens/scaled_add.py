import os
import sys

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor scaled_add(torch::Tensor x, torch::Tensor y, double alpha);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include "kittens.cuh"

using namespace kittens;

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLUMNS = 64;

using Layout = gl<float, -1, -1, -1, -1>;

struct Globals {
  Layout x, y, out;
  float alpha;
};

// One warp per block, one tile of registers per warp.
__global__ __launch_bounds__(WARP_THREADS)
void scaled_add_kernel(const __grid_constant__ Globals g) {
  const int row = blockIdx.y;
  const int column = blockIdx.x;
  rt_fl<TILE_ROWS, TILE_COLUMNS> x, y;
  warp::load(x, g.x, {0, 0, row, column});
  warp::load(y, g.y, {0, 0, row, column});
  warp::mul(x, x, g.alpha);
  warp::add(x, x, y);
  warp::store(g.out, x, {0, 0, row, column});
}

torch::Tensor scaled_add(torch::Tensor x, torch::Tensor y, double alpha) {
  const auto a = x.contiguous();
  const auto b = y.contiguous();
  TORCH_CHECK(a.dim() == 2 && a.size(0) % TILE_ROWS == 0 &&
              a.size(1) % TILE_COLUMNS == 0, "whole tiles only");
  auto out = torch::empty_like(a);
  const size_t rows = a.size(0);
  const size_t columns = a.size(1);
  const Globals globals{
      Layout{a.data_ptr<float>(), 1ul, 1ul, rows, columns},
      Layout{b.data_ptr<float>(), 1ul, 1ul, rows, columns},
      Layout{out.data_ptr<float>(), 1ul, 1ul, rows, columns},
      static_cast<float>(alpha)};
  const dim3 grid(columns / TILE_COLUMNS, rows / TILE_ROWS);
  scaled_add_kernel<<<grid, WARP_THREADS, 0,
                      at::cuda::getCurrentCUDAStream()>>>(globals);
  return out;
}
"""

extension = load_inline(
    name="scaled_add_tk",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["scaled_add"],
    extra_include_paths=[
        os.path.join(sys.prefix, "include", "ThunderKittens", "include")
    ],
    extra_cuda_cflags=[
        "-O3",
        "-std=c++20",
        "-DKITTENS_HOPPER",
        "--expt-extended-lambda",
        "--expt-relaxed-constexpr",
        "-U__CUDA_NO_HALF_OPERATORS__",
        "-U__CUDA_NO_HALF_CONVERSIONS__",
        "-U__CUDA_NO_HALF2_OPERATORS__",
        "-U__CUDA_NO_BFLOAT16_CONVERSIONS__",
    ],
)


class ModelNew(nn.Module):
    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return extension.scaled_add(x, y, self.alpha)
