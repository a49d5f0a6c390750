import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, normalisation n of every row, then (n + y) * y with a second input y.

    The instance norm sees a single channel of shape 1 x out_features per sample and
    so normalises rows; it has no affine parameters. PyTorch may warn that
    its number of features (out_features) differs from the one channel it gets.
    Despite the problem's name there is no batched matrix product. x has shape
    (batch_size, in_features), y and the result (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
    ) -> None:
        super().__init__()
        self.bmm = nn.Linear(in_features, out_features)
        self.instance_norm = nn.InstanceNorm2d(out_features, eps=eps, momentum=momentum)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x = self.bmm(x)
        x = self.instance_norm(x.unsqueeze(1).unsqueeze(1)).squeeze(1).squeeze(1)
        x = x + y
        return x * y


batch_size = 1024
in_features = 8192
out_features = 8192


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features), torch.rand(batch_size, out_features)]


def get_init_inputs() -> list:
    return [in_features, out_features]
