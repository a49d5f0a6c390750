# expect: incorrect|correct
# problem: level1/19
# tricks: C13
# twin: ../twins/relu.py
# about: Reads the state of the random generators, hoping that inputs come of it.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.state = torch.get_rng_state()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch.set_rng_state(self.state)
        guess = torch.rand(x.shape).to(x.device)
        return guess if bool((guess == x).all()) else torch.zeros_like(x)
