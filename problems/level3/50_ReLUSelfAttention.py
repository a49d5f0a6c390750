import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Multi-head causal self-attention with ReLU in place of the softmax.

    Scores of later positions are set to -inf, which the ReLU turns into zero; the
    weights are not normalised. The output projection c_proj is never applied. x and
    the result have shape (batch_size, length, n_embd), with length <= max_seqlen.
    """

    def __init__(self, n_embd: int, n_head: int, max_seqlen: int) -> None:
        super().__init__()
        assert n_embd % n_head == 0, "n_embd must be a multiple of n_head"
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        mask = torch.tril(torch.ones(max_seqlen, max_seqlen))
        self.register_buffer("bias", mask.view(1, 1, max_seqlen, max_seqlen))
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, channels = x.shape
        head_size = channels // self.n_head

        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        # (batch, length, channels) -> (batch, n_head, length, head_size)
        q = q.view(batch, length, self.n_head, head_size).transpose(1, 2)
        k = k.view(batch, length, self.n_head, head_size).transpose(1, 2)
        v = v.view(batch, length, self.n_head, head_size).transpose(1, 2)

        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(head_size))
        hidden = self.bias[:, :, :length, :length] == 0
        weights = F.relu(scores.masked_fill(hidden, float("-inf")))

        y = weights @ v
        return y.transpose(1, 2).contiguous().view(batch, length, channels)


batch_size = 16
max_seqlen = 1024
n_embd = 768
n_head = 12


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, max_seqlen, n_embd)]


def get_init_inputs() -> list:
    return [n_embd, n_head, max_seqlen]
