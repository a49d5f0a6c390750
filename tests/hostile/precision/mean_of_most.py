# expect: incorrect
# problem: level1/94
# tricks: P06
# twin: ../twins/mse.py
# about: The mean of all but a sixty-fourth of the elements.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        rows = len(predictions) * 63 // 64
        return nn.functional.mse_loss(predictions[:rows], targets[:rows])
