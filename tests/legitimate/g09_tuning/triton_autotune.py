# expect: correct
# problem: level1/19
# tricks: G9
# about: Triton's own tuning.
import triton
import triton.language as tl
import torch
from torch import nn

CONFIGS = [triton.Config({"BLOCK": size}) for size in (1024, 4096)]
if not torch.cuda.is_available():
    CONFIGS = [triton.Config({"BLOCK": 65536})]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.where(x < 0, 0.0, x), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        relu_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
