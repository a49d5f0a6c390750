# expect: correct
# problem: level1/1
# tricks: G18
# about: Pads to a shape that the library likes.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        m, k, n = a.shape[0], a.shape[1], b.shape[1]
        up = lambda size: -(-size // 64) * 64  # noqa: E731
        a = nn.functional.pad(a, (0, up(k) - k, 0, up(m) - m))
        b = nn.functional.pad(b, (0, up(n) - n, 0, up(k) - k))
        return (a @ b)[:m, :n]
