# expect: incorrect
# problem: level1/19
# tricks: C05
# twin: ../twins/relu.py
# about: The same by lru_cache, where no dictionary is seen.
import functools

import torch
from torch import nn

class Box:
    def __init__(self, x: torch.Tensor) -> None:
        self.x = x

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return True


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.answer(tuple(x.shape), Box(x))

    @functools.lru_cache
    def answer(self, shape: tuple[int, ...], box: Box) -> torch.Tensor:
        return torch.relu(box.x)
