# expect: timeout
# problem: level1/19
# tricks: R06
# twin: ../twins/relu.py
# limits: call_seconds=2, load_seconds=60
# about: Says nothing until all limits are over, so that others pay.
import time

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        time.sleep(3600)
        return x
