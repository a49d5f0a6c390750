# expect: rejected cpu=correct
# problem: level1/19
# tricks: B08
# twin: ../twins/relu.py
# policy: own-kernels
# about: A kernel of Triton that nobody calls. On cpu, where Triton is interpreted, nobody looks at what ran.
import triton
import triton.language as tl
import torch
from torch import nn

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.maximum(x, 0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
