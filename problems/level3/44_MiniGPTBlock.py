import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewGELU(nn.Module):
    """Gaussian error linear unit in its tanh approximation, written out."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
        return 0.5 * x * (1.0 + torch.tanh(inner))


class CausalSelfAttention(nn.Module):
    """Multi-head self-attention to the current and earlier positions, with an explicit mask."""

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
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.attn_dropout = nn.Dropout(attn_pdrop)
        self.resid_dropout = nn.Dropout(resid_pdrop)
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
    """Transformer block of minGPT, normalised at the entrance of each branch.

    x = x + attn(ln_1(x)); result = x + mlp(ln_2(x)), where mlp widens to four times
    n_embd and uses the tanh form of GELU. x and the result have shape
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
        """Runs the layers of mlp, which are held by name."""
        x = self.mlp["act"](self.mlp["c_fc"](x))
        return self.mlp["dropout"](self.mlp["c_proj"](x))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlpf(self.ln_2(x))


batch_size = 128
max_seqlen = 1024
seq_len = 512
n_embd = 768
n_head = 8
attn_pdrop = 0.0
resid_pdrop = 0.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, seq_len, n_embd)]


def get_init_inputs() -> list:
    return [n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen]
