# expect: correct
# problem: level1/19
# tricks: G12
# about: Asks what the device is, and goes on where it has none.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        try:
            self.major = torch.cuda.get_device_capability()[0]
        except (AssertionError, RuntimeError):
            self.major = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) if self.major < 9 else torch.clamp_min(x, 0)
