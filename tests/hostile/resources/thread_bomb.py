# expect: correct|load_error|runtime_error|timeout|out_of_memory
# problem: level1/19
# tricks: R01
# twin: ../twins/relu.py
# about: The same with threads.
import threading
import time

import torch
from torch import nn

try:
    for _ in range(100000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
except RuntimeError:
    pass


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
