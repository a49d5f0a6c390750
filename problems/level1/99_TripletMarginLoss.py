import torch
import torch.nn as nn


class Model(nn.Module):
    """Triplet margin loss, averaged over the batch.

    max(d(anchor, positive) - d(anchor, negative) + margin, 0)

    d is the Euclidean distance of two rows (with the library's 1e-6 added to each
    difference). anchor, positive and negative have shape (batch_size, *input_shape).
    The result is a scalar (shape ()). get_inputs draws one random scale for all anchors.
    """

    def __init__(self, margin: float = 1.0) -> None:
        super().__init__()
        self.loss_fn = nn.TripletMarginLoss(margin=margin)

    def forward(
        self, anchor: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor
    ) -> torch.Tensor:
        return self.loss_fn(anchor, positive, negative)


batch_size = 32768
input_shape = (8192,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    scale = torch.rand(())
    return [
        torch.rand(batch_size, *input_shape) * scale,
        torch.rand(batch_size, *input_shape),
        torch.rand(batch_size, *input_shape),
    ]


def get_init_inputs() -> list:
    return [1.0]
