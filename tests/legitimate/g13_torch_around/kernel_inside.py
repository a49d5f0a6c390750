# expect: correct
# problem: level1/19
# tricks: G13
# about: PyTorch allocates, views and keeps; Triton computes.
import triton
import triton.language as tl
import torch
from torch import nn

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.where(x < 0, 0.0, x), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        flat = x.contiguous().view(-1)
        relu_kernel[(triton.cdiv(flat.numel(), 65536),)](flat, y, flat.numel(), BLOCK=65536)
        return y.view_as(x)
