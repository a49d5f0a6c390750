# expect: incorrect
# problem: level1/19
# about: Replays its output per data pointer; new bytes there expose it.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cache: dict[int, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = x.data_ptr()
        if key not in self.cache:
            self.cache = {key: torch.relu(x)}
        return self.cache[key]
