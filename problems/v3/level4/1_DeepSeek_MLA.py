import torch
import torch.nn as nn
import torch.nn.functional as F


class DeepSeekRMSNorm(nn.Module):
    """RMS normalisation of the last dimension with a learned scale, in fp32 or wider."""

    def __init__(self, hidden_size: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        h = hidden_states.to(torch.promote_types(hidden_states.dtype, torch.float32))
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)
        return self.weight * h.to(hidden_states.dtype)


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
    """Multi-head latent attention of DeepSeek-V3, over a whole sequence at once.

    Queries come from a latent vector of q_lora_rank features, keys and values
    from one of kv_lora_rank features. A query or key of a head is
    qk_nope_head_dim features without position, followed by qk_rope_head_dim
    features with rotary position; the latter part of the keys is one vector
    shared by all heads. Attention is causal, scaled by the inverse square root of
    the query length, with the softmax in fp32 or wider.

    hidden_states and the result have shape (batch_size, seq_len, hidden_size).
    max_position_embeddings does not limit the length.
    """

    def __init__(
        self,
        hidden_size: int,
        num_attention_heads: int,
        q_lora_rank: int,
        kv_lora_rank: int,
        qk_nope_head_dim: int,
        qk_rope_head_dim: int,
        v_head_dim: int,
        max_position_embeddings: int = 2048,
        rope_theta: float = 10000.0,
        attention_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.num_heads = num_attention_heads
        self.q_lora_rank = q_lora_rank
        self.kv_lora_rank = kv_lora_rank
        self.qk_nope_head_dim = qk_nope_head_dim
        self.qk_rope_head_dim = qk_rope_head_dim
        self.v_head_dim = v_head_dim
        self.q_head_dim = qk_nope_head_dim + qk_rope_head_dim
        self.max_position_embeddings = max_position_embeddings
        self.rope_theta = rope_theta
        self.attention_dropout = attention_dropout
        self.softmax_scale = self.q_head_dim**-0.5

        self.q_a_proj = nn.Linear(hidden_size, q_lora_rank, bias=False)
        self.q_a_layernorm = DeepSeekRMSNorm(q_lora_rank)
        self.q_b_proj = nn.Linear(q_lora_rank, self.num_heads * self.q_head_dim, bias=False)
        self.kv_a_proj_with_mqa = nn.Linear(
            hidden_size, kv_lora_rank + qk_rope_head_dim, bias=False
        )
        self.kv_a_layernorm = DeepSeekRMSNorm(kv_lora_rank)
        self.kv_b_proj = nn.Linear(
            kv_lora_rank, self.num_heads * (qk_nope_head_dim + v_head_dim), bias=False
        )
        self.o_proj = nn.Linear(self.num_heads * v_head_dim, hidden_size, bias=False)

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        batch, length, _ = hidden_states.shape

        q = self.q_b_proj(self.q_a_layernorm(self.q_a_proj(hidden_states)))
        q = q.view(batch, length, self.num_heads, self.q_head_dim).transpose(1, 2)
        q_nope, q_pe = q.split([self.qk_nope_head_dim, self.qk_rope_head_dim], dim=-1)

        latent = self.kv_a_proj_with_mqa(hidden_states)
        latent, k_pe = latent.split([self.kv_lora_rank, self.qk_rope_head_dim], dim=-1)
        kv = self.kv_b_proj(self.kv_a_layernorm(latent))
        kv = kv.view(batch, length, self.num_heads, -1).transpose(1, 2)
        k_nope, v = kv.split([self.qk_nope_head_dim, self.v_head_dim], dim=-1)

        q_pe = rotary_embedding(q_pe, self.rope_theta)
        k_pe = rotary_embedding(k_pe.unsqueeze(1), self.rope_theta)
        q = torch.cat((q_nope, q_pe), dim=-1)
        k = torch.cat((k_nope, k_pe.expand(-1, self.num_heads, -1, -1)), dim=-1)

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
hidden_size = 2048
num_attention_heads = 16
q_lora_rank = 1536
kv_lora_rank = 512
qk_nope_head_dim = 128
qk_rope_head_dim = 64
v_head_dim = 128
max_position_embeddings = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs() -> list:
    return [
        hidden_size,
        num_attention_heads,
        q_lora_rank,
        kv_lora_rank,
        qk_nope_head_dim,
        qk_rope_head_dim,
        v_head_dim,
        max_position_embeddings,
    ]
