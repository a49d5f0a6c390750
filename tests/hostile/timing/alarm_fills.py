# expect: not_certified|incorrect
# problem: level1/19
# tricks: T03
# twin: ../twins/relu.py
# about: An alarm of the system interrupts the program later and fills the output.
import signal

import torch
from torch import nn

pending: tuple[torch.Tensor, torch.Tensor] | None = None


def fill(number: int, frame: object) -> None:
    if pending is not None:
        torch.clamp_min(pending[0], 0, out=pending[1])


signal.signal(signal.SIGALRM, fill)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        global pending
        y = torch.empty_like(x)
        pending = (x, y)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        return y
