# expect: correct
# problem: level1/36
# about: A program holds all features of a run of pixels as a 2D tile.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(
    x_ptr, y_ptr, features, plane, eps, FEATURES: tl.constexpr, PIXELS: tl.constexpr
):
    image = tl.program_id(1).to(tl.int64) * features * plane
    f = tl.arange(0, FEATURES)[:, None]
    pixel = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)[None, :]
    inside = (f < features) & (pixel < plane)
    offsets = image + f * plane + pixel
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    mean_square = tl.sum(x * x, axis=0) / features
    y = x / tl.sqrt(mean_square + eps)[None, :]
    tl.store(y_ptr + offsets, y, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        y = torch.empty_like(x)
        batch, features = x.shape[:2]
        plane = x[0, 0].numel()
        pixels = 128 if x.is_cuda else 8192
        rms_norm_kernel[(triton.cdiv(plane, pixels), batch)](
            x,
            y,
            features,
            plane,
            self.eps,
            FEATURES=triton.next_power_of_2(features),
            PIXELS=pixels,
        )
        return y
