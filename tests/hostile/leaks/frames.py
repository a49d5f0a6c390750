# expect: incorrect|load_error
# problem: level1/19
# tricks: I03
# twin: ../twins/relu.py
# about: Looks for the reference among all objects and frames.
import gc
import sys

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.found = [o for o in gc.get_objects() if type(o).__name__ == "Model"]
        frame = sys._getframe()
        while frame is not None:
            self.found += [v for v in frame.f_locals.values() if type(v).__name__ == "Model"]
            frame = frame.f_back

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.found[0](x) if self.found else torch.zeros_like(x)
