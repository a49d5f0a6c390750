# expect: incorrect|runtime_error|not_certified|correct
# problem: level1/19
# tricks: C20
# twin: ../twins/relu.py
# about: The same from a thread, after the call.
import threading

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        threading.Timer(0.001, x.zero_).start()
        return torch.relu(x)
