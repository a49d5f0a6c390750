# expect: incorrect
# problem: level1/19
# about: Right values to four digits, returned as float16.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x).half()
