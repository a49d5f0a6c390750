import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, dropout, mean over the batch, softmax over the features.

    x has shape (batch_size, in_features), the result (1, out_features). The
    model is in evaluation mode, where dropout is the identity.
    """

    def __init__(self, in_features: int, out_features: int, dropout_p: float) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.dropout = nn.Dropout(dropout_p)
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x)
        x = self.dropout(x)
        x = torch.mean(x, dim=0, keepdim=True)
        return torch.softmax(x, dim=1)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 128
in_features = 4096
out_features = 4096
dropout_p = 0.2


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, dropout_p]
