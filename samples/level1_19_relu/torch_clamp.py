# expect: correct
# problem: level1/19
# about: No kernel of its own, only another PyTorch expression (policy decides if it may).
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.clamp_min(x, 0)
