"""A kernel of Triton in a CUDA graph: its share is 1 but for copies."""

import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    for _ in range(64):  # longer than the copies beside it
        x = tl.maximum(x * 1.0, 0)
        tl.store(y_ptr + at, x, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.graph: torch.cuda.CUDAGraph | None = None

    def work(self) -> None:
        n = self.x.numel()
        relu_kernel[(triton.cdiv(n, 1024),)](self.x, self.y, n, BLOCK=1024)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.graph is None:
            self.x, self.y = torch.empty_like(x), torch.empty_like(x)
            self.work()
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.work()
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()
