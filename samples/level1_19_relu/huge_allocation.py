# expect: out_of_memory cpu=out_of_memory|runtime_error
# problem: level1/19
# about: Asks PyTorch for 64 TiB at once.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scratch = torch.empty(2**44, dtype=torch.float32, device=x.device)
        return torch.relu(x) + scratch[0]
