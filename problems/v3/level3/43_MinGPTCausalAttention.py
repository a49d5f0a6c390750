import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Multi-head causal self-attention in the manner of minGPT.

    One linear layer yields queries, keys and values; every head attends to the
    current and earlier positions only, through an explicit masked softmax; a
    second linear layer mixes the heads. x and the result have shape
    (batch_size, seq_len, n_embd), with seq_len <= max_seqlen.
    """

    def __init__(
        self,
        n_embd: int,
        n_head: int,
        attn_pdrop: float,
        resid_pdrop: float,
        max_seqlen: int,
    ) -> None:
        super().__init__()
        assert n_embd % n_head == 0, "n_embd must be a multiple of n_head"
        # Query, key and value projections of all heads in one matrix.
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.attn_dropout = nn.Dropout(attn_pdrop)
        self.resid_dropout = nn.Dropout(resid_pdrop)
        # Lower-triangular mask: position i may look at positions 0..i.
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
        scores = scores.masked_fill(hidden, float("-inf"))
        weights = self.attn_dropout(F.softmax(scores, dim=-1))

        y = weights @ v
        y = y.transpose(1, 2).contiguous().view(batch, length, channels)
        return self.resid_dropout(self.c_proj(y))


OP_TYPE = "attention"
SUPPORTED_PRECISIONS = ["fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 64
max_seqlen = 1024
seq_len = 512
n_embd = 768
n_head = 8
attn_pdrop = 0.0
resid_pdrop = 0.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, n_embd)]


def get_init_inputs() -> list:
    return [n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen]
