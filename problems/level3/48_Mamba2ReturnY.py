import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """State-space layer of Mamba-2, computed block by block; returns the outputs.

    Per sequence and head: state[t] = exp(A[t]) * state[t - 1] + outer(X[t], B[t]) and
    Y[t] = state[t] @ C[t]. Positions within a block interact directly, blocks through
    their final states. A, B and C are parameters with a batch axis; A has no fixed
    sign, so the decay factors span many orders of magnitude. X and the result have
    shape (batch_size, seq_length, n_heads, d_head), initial_states
    (batch_size, 1, n_heads, d_head, d_state).
    """

    def __init__(
        self,
        batch_size: int,
        seq_length: int,
        n_heads: int,
        d_head: int,
        d_state: int,
        block_len: int = 64,
    ) -> None:
        super().__init__()
        assert seq_length % block_len == 0, "seq_length must be a multiple of block_len"
        self.batch_size = batch_size
        self.seq_length = seq_length
        self.n_heads = n_heads
        self.d_head = d_head
        self.d_state = d_state
        self.block_len = block_len

        self.A = nn.Parameter(torch.randn(batch_size, seq_length, n_heads))
        self.B = nn.Parameter(torch.randn(batch_size, seq_length, n_heads, d_state))
        self.C = nn.Parameter(torch.randn(batch_size, seq_length, n_heads, d_state))

    def segsum(self, x: torch.Tensor) -> torch.Tensor:
        """Sums of all segments: y[..., i, j] = x[..., j + 1] + ... + x[..., i], -inf for j > i."""
        length = x.shape[-1]
        total = torch.cumsum(x, dim=-1)
        sums = total[..., :, None] - total[..., None, :]
        lower = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        return sums.masked_fill(~lower, float("-inf"))

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, length, ...) -> (batch, blocks, block_len, ...)"""
        return x.unflatten(1, (-1, self.block_len))

    def forward(
        self, X: torch.Tensor, initial_states: torch.Tensor | None = None
    ) -> torch.Tensor:
        # Letters of the sums: b batch, c and z blocks, l and s positions in a block,
        # h heads, p channels of a head, n states.
        x, b, c = self._split(X), self._split(self.B), self._split(self.C)
        a = self._split(self.A).permute(0, 3, 1, 2)
        a_total = torch.cumsum(a, dim=-1)

        decay = torch.exp(self.segsum(a))
        y_diagonal = torch.einsum("bclhn,bcshn,bhcls,bcshp->bclhp", c, b, decay, x)

        decay_to_end = torch.exp(a_total[..., -1:] - a_total)
        states = torch.einsum("bclhn,bhcl,bclhp->bchpn", b, decay_to_end, x)
        if initial_states is None:
            initial_states = torch.zeros_like(states[:, :1])
        states = torch.cat([initial_states, states], dim=1)
        decay_blocks = torch.exp(self.segsum(F.pad(a_total[..., -1], (1, 0))))
        states = torch.einsum("bhzc,bchpn->bzhpn", decay_blocks, states)

        decay_from_start = torch.exp(a_total)
        y_across = torch.einsum("bclhn,bchpn,bhcl->bclhp", c, states[:, :-1], decay_from_start)
        return (y_diagonal + y_across).flatten(1, 2)


batch_size = 2048
seq_length = 128
n_heads = 8
d_head = 64
d_state = 16
block_len = 64


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, seq_length, n_heads, d_head)]


def get_init_inputs() -> list:
    return [batch_size, seq_length, n_heads, d_head, d_state, block_len]
