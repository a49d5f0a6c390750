import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Experts of a mixture (gated perceptrons), with the routing given as inputs.

    y[t] = sum_j w[t, j] * down[e](silu(gate[e] x[t]) * up[e] x[t]), where
    e = expert_indices[t, j] and w = expert_weights.

    x and y have shape (batch_size, seq_len, hidden_size); expert_indices (int64,
    values in [0, num_experts)) and expert_weights have shape
    (batch_size, seq_len, top_k). The experts of a token differ and their weights
    sum to one. The matrices are the same for every seed.
    """

    def __init__(self, hidden_size: int, intermediate_size: int, num_experts: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.intermediate_size = intermediate_size
        self.num_experts = num_experts
        inner = (num_experts, intermediate_size, hidden_size)
        outer = (num_experts, hidden_size, intermediate_size)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(1337)
            self.gate_proj = nn.Parameter(torch.randn(inner) * 0.02)
            self.up_proj = nn.Parameter(torch.randn(inner) * 0.02)
            self.down_proj = nn.Parameter(torch.randn(outer) * 0.02)

    def forward(
        self, x: torch.Tensor, expert_indices: torch.Tensor, expert_weights: torch.Tensor
    ) -> torch.Tensor:
        tokens = x.reshape(-1, self.hidden_size)
        per_token = expert_indices.shape[-1]
        chosen = expert_indices.flatten()
        order = chosen.argsort(stable=True)
        counts = chosen.bincount(minlength=self.num_experts).tolist()
        # One row per token and choice, so that the order of summation is fixed.
        results = tokens.new_empty(chosen.numel(), self.hidden_size)
        for expert, rows in enumerate(order.split(counts)):
            h = tokens[rows // per_token]
            h = F.silu(F.linear(h, self.gate_proj[expert])) * F.linear(h, self.up_proj[expert])
            results[rows] = F.linear(h, self.down_proj[expert])
        results = results.view(*expert_weights.shape, self.hidden_size)
        return (results * expert_weights.unsqueeze(-1)).sum(dim=-2)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 4
seq_len = 2048
hidden_size = 4096
intermediate_size = 14336
num_experts = 8
top_k = 2


def get_inputs() -> list[torch.Tensor]:
    x = torch.randn(batch_size, seq_len, hidden_size)
    # The first top_k numbers of a random permutation of the experts, per token.
    expert_indices = torch.rand(batch_size, seq_len, num_experts).argsort(dim=-1)[..., :top_k]
    expert_weights = F.softmax(torch.randn(batch_size, seq_len, top_k), dim=-1)
    return [x, expert_indices, expert_weights]


def get_init_inputs() -> list:
    return [hidden_size, intermediate_size, num_experts]
