# expect: load_error|runtime_error
# problem: level1/19
# tricks: H13
# twin: ../twins/relu.py
# about: A thread ends the process with success.
import os
import threading

import torch
from torch import nn

threading.Timer(0.3, lambda: os._exit(0)).start()


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
