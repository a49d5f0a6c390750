import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, dropout, softmax of each row.

    The model is in training mode: every call zeroes each element with
    probability dropout_p, by the global random generator, and scales the others
    by 1 / (1 - dropout_p). x has shape (batch_size, in_features), the result
    (batch_size, out_features).
    """

    def __init__(self, in_features: int, out_features: int, dropout_p: float) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x)
        x = self.dropout(x)
        return torch.softmax(x, dim=1)


batch_size = 128
in_features = 16384
out_features = 16384
dropout_p = 0.2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, dropout_p]
