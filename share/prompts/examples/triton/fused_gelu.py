import torch
import torch.nn as nn
import triton
import triton.language as tl


# One pass: x is read once, and bias, GELU and sum are done in registers.
@triton.jit
def bias_gelu_add_kernel(x_ptr, bias_ptr, out_ptr, features, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * features
    for start in range(0, features, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + c, mask=c < features, other=0.0)
        value = x + tl.load(bias_ptr + c, mask=c < features, other=0.0)
        gelu = 0.5 * value * (1.0 + tl.erf(value * 0.7071067811865476))
        tl.store(out_ptr + row + c, x + gelu, mask=c < features)


class ModelNew(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        features = x.shape[-1]
        out = torch.empty_like(x)
        bias_gelu_add_kernel[(x.numel() // features,)](
            x, self.bias, out, features, BLOCK=1024)
        return out
