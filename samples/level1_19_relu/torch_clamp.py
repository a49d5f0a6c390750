# expect: correct
# problem: level1/19
# about: Another PyTorch expression, no kernel; policy decides if it may.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.clamp_min(x, 0)
