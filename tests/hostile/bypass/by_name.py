# expect: rejected
# problem: level1/19
# tricks: B10
# twin: ../twins/relu.py
# policy: own-kernels
# about: Takes the operator by a name that is put together.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return getattr(torch, "re" + "lu")(x)
