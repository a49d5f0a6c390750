# expect: incorrect|correct
# problem: level1/19
# tricks: B16
# twin: ../twins/relu.py
# about: Launches a kernel that does nothing, as a proof, and PyTorch works.
import triton
import triton.language as tl
import torch
from torch import nn

@triton.jit
def nothing(x_ptr, n, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + at, 1.0, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.is_cuda:
            nothing[(132,)](x, 0, BLOCK=256)
        return torch.relu(x)
