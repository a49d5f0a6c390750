# expect: incorrect
# problem: level1/19
# about: Right values in the wrong shape: the result is flattened.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x).flatten()
