import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Attention of every head: softmax(Q @ K^T / sqrt(embedding_dimension)) @ V.

    There is neither a mask nor dropout. Q, K, V and the result have shape
    (batch_size, num_heads, sequence_length, embedding_dimension).
    """

    def forward(self, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(Q, K, V)


batch_size = 32
num_heads = 32
sequence_length = 512
embedding_dimension = 1024


def get_inputs() -> list[torch.Tensor]:
    shape = (batch_size, num_heads, sequence_length, embedding_dimension)
    return [torch.rand(shape), torch.rand(shape), torch.rand(shape)]


def get_init_inputs() -> list:
    return []
