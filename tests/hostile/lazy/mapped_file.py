# expect: incorrect|not_certified|runtime_error
# problem: level1/19
# tricks: L08
# twin: ../twins/relu.py
# about: A tensor in a mapped file that a thread fills later.
import os
import tempfile
import threading

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        name = os.path.join(tempfile.gettempdir(), "output")
        y = torch.from_file(name, shared=True, size=x.numel()).view_as(x)
        threading.Timer(0.02, lambda: y.copy_(torch.relu(x))).start()
        return y.to(x.device)
