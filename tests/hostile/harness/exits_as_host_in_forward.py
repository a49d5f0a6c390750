# expect: runtime_error
# problem: level1/19
# tricks: H13
# twin: ../twins/relu.py
# about: The same from the first call.
import os

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        os._exit(70)
