import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewGELU(nn.Module):
    """GELU in its tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
        return 0.5 * x * (1.0 + torch.tanh(inner))


class CausalSelfAttention(nn.Module):
    """Multi-head self-attention of every position to itself and earlier ones.

    x and the result have shape (batch, length, n_embd), length <= max_seqlen.
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


class Model(nn.Module):
    """Transformer block in the manner of minGPT, with normalisation in front.

    x + attention(LayerNorm(x)), then the same with a two-layer perceptron of
    four times the width. x and the result have shape
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
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention(n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen)
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = nn.ModuleDict(
            {
                "c_fc": nn.Linear(n_embd, 4 * n_embd),
                "c_proj": nn.Linear(4 * n_embd, n_embd),
                "act": NewGELU(),
                "dropout": nn.Dropout(resid_pdrop),
            }
        )

    def mlpf(self, x: torch.Tensor) -> torch.Tensor:
        """The perceptron: c_fc, activation, c_proj, dropout."""
        hidden = self.mlp["act"](self.mlp["c_fc"](x))
        return self.mlp["dropout"](self.mlp["c_proj"](hidden))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlpf(self.ln_2(x))


OP_TYPE = "model"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 128
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
