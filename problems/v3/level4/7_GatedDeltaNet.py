import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Gated DeltaNet: linear attention with a decaying state and the delta rule.

    q, k, v, a decay alpha and a learning rate beta (sigmoids, one each per head)
    are projections of x; q, k and v pass a causal depthwise convolution over time
    and SiLU. With q_t, k_t, v_t as columns, every head runs, from S_0 = 0,

        S'_t = alpha_t S_{t-1}
        S_t  = S'_t + beta_t k_t (v_t - S'_t^T k_t)^T
        o_t  = S_t^T q_t / sqrt(head_dim_qk)

    (S_t: head_dim_qk x head_dim_v; alpha_t is at least 1e-6). o_t is normalised
    per head (LayerNorm), multiplied by sigmoid(g_proj(x)) and projected back.

    x and the result have shape (batch_size, seq_len, hidden_size). The recurrence
    is computed in fp32 or wider and in chunks of time steps, which is the same
    mathematics (see gated_delta_rule).
    """

    def __init__(
        self,
        hidden_size: int,
        num_heads: int,
        head_dim_qk: int,
        head_dim_v: int,
        use_short_conv: bool = True,
        conv_kernel_size: int = 4,
    ) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.head_dim_qk = head_dim_qk
        self.head_dim_v = head_dim_v
        self.use_short_conv = use_short_conv
        self.scale = head_dim_qk**-0.5
        key_size = num_heads * head_dim_qk
        value_size = num_heads * head_dim_v

        self.q_proj = nn.Linear(hidden_size, key_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, key_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, value_size, bias=False)
        self.a_proj = nn.Linear(hidden_size, num_heads, bias=True)
        self.b_proj = nn.Linear(hidden_size, num_heads, bias=True)
        self.o_proj = nn.Linear(value_size, hidden_size, bias=False)
        if use_short_conv:
            self.q_conv = causal_conv(key_size, conv_kernel_size)
            self.k_conv = causal_conv(key_size, conv_kernel_size)
            self.v_conv = causal_conv(value_size, conv_kernel_size)
        self.g_proj = nn.Linear(hidden_size, value_size, bias=False)
        self.o_norm = nn.LayerNorm(head_dim_v)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        if self.use_short_conv:
            q = F.silu(over_time(self.q_conv, q))
            k = F.silu(over_time(self.k_conv, k))
            v = F.silu(over_time(self.v_conv, v))

        wide = torch.promote_types(x.dtype, torch.float32)
        alpha = torch.sigmoid(self.a_proj(x).to(wide)).clamp(min=1e-6)
        beta = torch.sigmoid(self.b_proj(x).to(wide))
        # (batch, length, heads * dim) -> (batch, heads, length, dim)
        q, k, v = (
            t.to(wide).view(batch, length, self.num_heads, -1).transpose(1, 2)
            for t in (q, k, v)
        )
        o = gated_delta_rule(
            q * self.scale, k, v, alpha.log().transpose(1, 2), beta.transpose(1, 2)
        )

        o = self.o_norm(o.to(x.dtype).transpose(1, 2))
        gate = torch.sigmoid(self.g_proj(x)).view(o.shape)
        return self.o_proj((o * gate).reshape(batch, length, -1))


def causal_conv(channels: int, kernel_size: int) -> nn.Conv1d:
    """A depthwise convolution that sees a step and kernel_size - 1 steps before it."""
    return nn.Conv1d(
        channels, channels, kernel_size, groups=channels, padding=kernel_size - 1
    )


def over_time(conv: nn.Conv1d, x: torch.Tensor) -> torch.Tensor:
    """conv along the time of x (batch, length, channels), without the steps beyond it."""
    return conv(x.transpose(1, 2))[:, :, : x.shape[1]].transpose(1, 2)


def gated_delta_rule(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    log_decay: torch.Tensor,
    beta: torch.Tensor,
    chunk: int = 64,
) -> torch.Tensor:
    """The recurrence of Model for all heads; o_t = S_t^T q_t (q is scaled already).

    q and k have shape (batch, heads, length, dk), v and the result
    (batch, heads, length, dv), log_decay (<= 0) and beta (batch, heads, length).

    In a chunk that begins with the state S, let G_i be the sum of log_decay up to
    and with step i. Every step adds a k_i d_i^T, and the d_i solve the lower
    triangular system

        d_i + beta_i sum_{j<i} e^(G_i - G_j) (k_i . k_j) d_j
            = beta_i (v_i - e^(G_i) S^T k_i).

    Its two right-hand sides need no state, so all chunks are solved at once; only
    the states are computed one chunk after another.
    """
    batch, heads, length, _ = q.shape
    padding = -length % chunk
    # Padding steps have k = 0 and no decay: they leave the state as it is.
    q, k, v = (F.pad(t, (0, 0, 0, padding)) for t in (q, k, v))
    log_decay, beta = (F.pad(t, (0, padding)) for t in (log_decay, beta))
    q, k, v, log_decay, beta = (
        t.reshape(batch, heads, -1, chunk, *t.shape[3:]) for t in (q, k, v, log_decay, beta)
    )

    total = log_decay.cumsum(dim=-1)
    past = torch.ones(chunk, chunk, dtype=torch.bool, device=q.device).tril()
    between = total.unsqueeze(-1) - total.unsqueeze(-2)
    between = between.masked_fill(~past, float("-inf")).exp()
    since_start = total.exp().unsqueeze(-1)
    until_end = (total[..., -1:] - total).exp().unsqueeze(-1)
    beta = beta.unsqueeze(-1)

    system = (beta * (k @ k.transpose(-2, -1)) * between).tril(-1)
    from_values = unit_lower_solve(system, beta * v)
    from_state = unit_lower_solve(system, beta * since_start * k)
    mixing = (q @ k.transpose(-2, -1)) * between
    q = q * since_start
    k = k * until_end

    state = q.new_zeros(batch, heads, k.shape[-1], v.shape[-1])
    outputs = []
    for c in range(q.shape[2]):
        d = from_values[:, :, c] - from_state[:, :, c] @ state
        outputs.append(q[:, :, c] @ state + mixing[:, :, c] @ d)
        decay = since_start[:, :, c, -1:]
        state = decay * state + k[:, :, c].transpose(-2, -1) @ d
    return torch.cat(outputs, dim=2)[:, :, :length]


def unit_lower_solve(lower: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Solves (I + lower) d = right; lower is zero on and above its diagonal."""
    return torch.linalg.solve_triangular(lower, right, upper=False, unitriangular=True)


OP_TYPE = "model"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 4
seq_len = 2048
hidden_size = 2048
num_heads = 16
head_dim_qk = 128
head_dim_v = 128


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs() -> list:
    return [hidden_size, num_heads, head_dim_qk, head_dim_v]
