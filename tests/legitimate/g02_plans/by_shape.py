# expect: correct
# problem: level1/19
# tricks: G2
# about: The configuration of the launch is kept per shape.
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
    def __init__(self) -> None:
        super().__init__()
        self.plans: dict[tuple[torch.Size, str], tuple[int]] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = (x.shape, x.device.type)
        if key not in self.plans:
            self.plans[key] = (triton.cdiv(x.numel(), 65536),)
        y = torch.empty_like(x)
        relu_kernel[self.plans[key]](x, y, x.numel(), BLOCK=65536)
        return y
