# expect: correct
# problem: level1/19
# tricks: T08
# twin: ../twins/relu.py
# about: Every way to ask for a time answers zero, NaN or less.
import statistics
import time

import torch
from torch import nn

torch.cuda.Event.elapsed_time = lambda begin, end: 0.0
time.perf_counter = lambda: float("nan")
time.monotonic_ns = lambda: -1
statistics.median = statistics.mean = lambda data: 0.0


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
