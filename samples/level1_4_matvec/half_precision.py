# expect: incorrect
# problem: level1/4
# about: Computes in fp16, where sums this long round badly or overflow.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A.half(), B.half()).float()
