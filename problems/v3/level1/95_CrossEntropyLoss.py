import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Cross-entropy of class scores against class indices, averaged over the batch.

    predictions has shape (batch_size, num_classes) and holds unnormalised
    scores; targets has shape (batch_size,), type int64 and values in
    [0, num_classes). The result is a scalar (shape ()).
    """

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(predictions, targets)


OP_TYPE = "reduction"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 4096
num_classes = 1024
input_shape = (num_classes,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    return [
        torch.randn(batch_size, *input_shape),
        torch.randint(0, num_classes, (batch_size,)),
    ]


def get_init_inputs() -> list:
    return []
