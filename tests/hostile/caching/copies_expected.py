# expect: incorrect
# problem: level1/19
# tricks: C23
# twin: ../twins/relu.py
# about: Looks for the expected output in the frames above and among all objects.
import gc
import sys

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        frame = sys._getframe()
        while frame is not None:
            for name, value in frame.f_locals.items():
                if isinstance(value, torch.Tensor) and "expect" in name:
                    return value.clone()
            frame = frame.f_back
        for found in gc.get_objects():
            if isinstance(found, torch.Tensor) and found.shape == x.shape and found is not x:
                if bool((found.flatten()[:64] >= 0).all()):
                    return found.clone()
        return torch.zeros_like(x)
