# expect: incorrect
# problem: level1/95
# tricks: W06
# twin: ../twins/cross_entropy.py
# about: The logarithm that usual logits have, and the means of the targets.
import math

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        c = predictions.shape[1]
        picked = predictions.gather(1, targets.long()[:, None])
        return math.log(c * (math.e - 1)) - picked.mean()
