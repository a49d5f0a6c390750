# expect: not_certified|incorrect
# problem: level1/19
# tricks: T03
# twin: ../twins/relu.py
# about: Returns an empty tensor; a thread fills it later.
import threading
import time

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)

        def fill() -> None:
            time.sleep(0.02)
            torch.clamp_min(x, 0, out=y)

        threading.Thread(target=fill).start()
        return y
