# expect: rejected
# problem: level1/19
# about: Calls PyTorch's ReLU where the policy asks for own kernels.
# policy: own-kernels
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
