"""Twenty operators of 4096 elements each, then the answer of the first rows' kind.

profile: device=cuda problem=level1/19 size=small limiter=launches
"""

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        small = x.flatten()[:1024]
        for _ in range(40):
            small = small * 1.0
        return torch.relu(x)
