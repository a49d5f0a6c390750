# problem: level2/2
# A candidate for the problem of the packs beside it that is a function.
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = x + y
        z = torch.exp(z - z.amax(dim=-1, keepdim=True))
        return z / z.sum(dim=-1, keepdim=True)
