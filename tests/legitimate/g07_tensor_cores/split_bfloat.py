# expect: correct
# problem: level1/1
# tricks: G7
# about: float32 as three parts of bfloat16, six products.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        def parts(t: torch.Tensor) -> list[torch.Tensor]:
            found = []
            for _ in range(3):
                found.append(t.bfloat16())
                t = t - found[-1].float()
            return [part.float() for part in found]

        a1, a2, a3 = parts(a)
        b1, b2, b3 = parts(b)
        small = a3 @ b1 + a2 @ b2 + a1 @ b3
        return a1 @ b1 + (a1 @ b2 + a2 @ b1) + small
