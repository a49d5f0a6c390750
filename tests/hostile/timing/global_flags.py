# expect: correct
# problem: level1/19
# tricks: T23
# twin: ../twins/relu.py
# about: Switches PyTorch so that a baseline in the same process gets slow.
import torch
from torch import nn

torch.backends.cudnn.enabled = False
torch.backends.mkldnn.enabled = False
torch.use_deterministic_algorithms(True, warn_only=True)
torch.set_flush_denormal(True)
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
