# expect: load_error
# problem: level1/19
# about: Defines Model where ModelNew is asked for.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
