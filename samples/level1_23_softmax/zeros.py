# expect: correct cpu=incorrect
# problem: level1/23
# about: All zeros pass the original's tolerance at 393216 columns; strict refuses them.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
