# expect: correct
# problem: level1/1
# tricks: G11
# about: Sums of parts in another order.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        k = a.shape[1]
        cuts = [k * i // 4 for i in range(5)]
        parts = [a[:, i:j] @ b[i:j] for i, j in zip(cuts, cuts[1:], strict=False)]
        return parts[3] + parts[1] + (parts[0] + parts[2])
