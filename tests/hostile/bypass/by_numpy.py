# expect: correct|rejected cuda=correct|rejected|runtime_error
# problem: level1/1
# tricks: B03
# twin: ../twins/matmul.py
# about: NumPy's library does the work.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        y = a.cpu().numpy() @ b.cpu().numpy()
        return torch.from_numpy(y).to(a.device)
