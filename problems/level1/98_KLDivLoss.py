import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Kullback-Leibler divergence of predictions from targets, averaged over the batch.

    sum(targets * (log(targets) - log(predictions))) / batch_size

    predictions and targets have shape (batch_size, *input_shape); each row is a
    probability distribution. The result is a scalar (shape ()). get_inputs draws one
    random scale for the logits of all predictions.
    """

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.kl_div(torch.log(predictions), targets, reduction="batchmean")


batch_size = 16384
input_shape = (16384,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    scale = torch.rand(())
    predictions = (torch.rand(batch_size, *input_shape) * scale).softmax(dim=-1)
    targets = torch.rand(batch_size, *input_shape).softmax(dim=-1)
    return [predictions, targets]


def get_init_inputs() -> list:
    return []
