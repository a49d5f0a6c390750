import torch
import torch.nn as nn
import torch.nn.functional as F


def rotary_embedding(x: torch.Tensor, base: float) -> torch.Tensor:
    """Rotates the features of every position, in fp32 or wider.

    x has shape (batch, heads, length, dim). Features i and i + dim / 2 of
    position t form a pair that turns by t * base ** (-2 i / dim) radians.
    """
    wide = torch.promote_types(x.dtype, torch.float32)
    length, dim = x.shape[-2:]
    exponent = torch.arange(0, dim, 2, device=x.device, dtype=wide) / dim
    positions = torch.arange(length, device=x.device, dtype=wide)
    angle = torch.outer(positions, base**-exponent)
    cos, sin = angle.cos(), angle.sin()
    first, second = x.to(wide).chunk(2, dim=-1)
    rotated = torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
    return rotated.to(x.dtype)


class Model(nn.Module):
    """Causal self-attention in which several query heads share a key and value head.

    Queries and keys carry rotary positions. With
    n = num_attention_heads / num_key_value_heads, key and value head j serves the
    query heads n * j to n * j + n - 1. Scores are scaled by head_dim ** -0.5; the
    softmax runs in fp32 or wider.

    hidden_states and the result have shape (batch_size, seq_len, hidden_size).
    max_position_embeddings does not limit the length.
    """

    def __init__(
        self,
        hidden_size: int,
        num_attention_heads: int,
        num_key_value_heads: int,
        head_dim: int,
        max_position_embeddings: int = 4096,
        rope_theta: float = 10000.0,
        attention_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.num_heads = num_attention_heads
        self.num_kv_heads = num_key_value_heads
        self.num_kv_groups = num_attention_heads // num_key_value_heads
        self.head_dim = head_dim
        self.max_position_embeddings = max_position_embeddings
        self.rope_theta = rope_theta
        self.attention_dropout = attention_dropout
        self.softmax_scale = head_dim**-0.5

        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        batch, length, _ = hidden_states.shape
        by_head = (batch, length, -1, self.head_dim)
        q = self.q_proj(hidden_states).view(by_head).transpose(1, 2)
        k = self.k_proj(hidden_states).view(by_head).transpose(1, 2)
        v = self.v_proj(hidden_states).view(by_head).transpose(1, 2)

        q = rotary_embedding(q, self.rope_theta)
        k = rotary_embedding(k, self.rope_theta)
        k = k.repeat_interleave(self.num_kv_groups, dim=1)
        v = v.repeat_interleave(self.num_kv_groups, dim=1)

        scores = (q @ k.transpose(-2, -1)) * self.softmax_scale
        later = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
        wide = torch.promote_types(scores.dtype, torch.float32)
        weights = F.softmax(scores, dim=-1, dtype=wide).to(v.dtype)
        weights = F.dropout(weights, p=self.attention_dropout, training=self.training)

        y = (weights @ v).transpose(1, 2).reshape(batch, length, -1)
        return self.o_proj(y)


OP_TYPE = "attention"
SUPPORTED_PRECISIONS = ["fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 4
seq_len = 2048
hidden_size = 4096
num_attention_heads = 32
num_key_value_heads = 8
head_dim = 128
max_position_embeddings = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs() -> list:
    return [
        hidden_size,
        num_attention_heads,
        num_key_value_heads,
        head_dim,
        max_position_embeddings,
    ]
