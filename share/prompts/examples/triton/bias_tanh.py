import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_tanh_kernel(x_ptr, bias_ptr, out_ptr, features, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < features
    x = tl.load(x_ptr + row * features + columns, mask=inside).to(tl.float32)
    bias = tl.load(bias_ptr + columns, mask=inside).to(tl.float32)
    # tanh(z) = 2 * sigmoid(2 * z) - 1, which cannot overflow.
    result = 2.0 * tl.sigmoid(2.0 * (x + bias)) - 1.0
    tl.store(out_ptr + row * features + columns, result, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        features = self.bias.numel()
        grid = (x.numel() // features, triton.cdiv(features, 1024))
        bias_tanh_kernel[grid](x, self.bias, out, features, BLOCK=1024)
        return out
