import torch
import torch.nn as nn


class Model(nn.Module):
    """Prefix sum of the selected elements: y[b, i] = sum of x[b, j] over j <= i with mask[b, j].

    x, mask and y have shape (batch_size, *input_shape), and mask has type bool. With
    dim = 1 the sums run along each row.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x * mask, dim=self.dim)


batch_size = 32768
input_shape = (32768,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    x = torch.rand(batch_size, *input_shape)
    mask = torch.randint(0, 2, x.shape).bool()
    return [x, mask]


def get_init_inputs() -> list:
    return [dim]
