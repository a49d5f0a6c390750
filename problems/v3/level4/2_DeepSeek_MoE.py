import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MoEGate(nn.Module):
    """Router of DeepSeek-V3: sigmoid scores, groups of experts, top_k of the best groups.

    An expert is chosen by its score plus e_score_correction_bias (zeros as
    built). A group counts as much as its two best experts together; the experts
    of all but the topk_group best groups are set to 0 before the top_k best ones
    are taken. Weights are the plain scores of the chosen experts, made to sum to
    routed_scaling_factor. All of it runs in fp32 or wider.

    hidden_states has shape (tokens, hidden_size). The result is a pair of shape
    (tokens, top_k) each: expert numbers (int64, in no particular order) and weights.
    """

    def __init__(
        self,
        hidden_size: int,
        n_routed_experts: int,
        num_experts_per_tok: int,
        n_group: int,
        topk_group: int,
        routed_scaling_factor: float = 1.0,
    ) -> None:
        super().__init__()
        self.top_k = num_experts_per_tok
        self.n_routed_experts = n_routed_experts
        self.n_group = n_group
        self.topk_group = topk_group
        self.routed_scaling_factor = routed_scaling_factor
        self.weight = nn.Parameter(torch.empty(n_routed_experts, hidden_size))
        self.register_buffer("e_score_correction_bias", torch.zeros(n_routed_experts))
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))

    def forward(self, hidden_states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        wide = torch.promote_types(hidden_states.dtype, torch.float32)
        scores = F.linear(hidden_states.to(wide), self.weight.to(wide)).sigmoid()
        choice = scores + self.e_score_correction_bias.to(wide)

        groups = choice.view(-1, self.n_group, self.n_routed_experts // self.n_group)
        group_scores = groups.topk(2, dim=-1).values.sum(dim=-1)
        best = group_scores.topk(self.topk_group, dim=-1, sorted=False).indices
        dropped = torch.ones_like(group_scores, dtype=torch.bool).scatter(1, best, False)
        choice = groups.masked_fill(dropped.unsqueeze(-1), 0.0).flatten(1)

        experts = choice.topk(self.top_k, dim=-1, sorted=False).indices
        weights = scores.gather(1, experts)
        weights = weights / (weights.sum(dim=-1, keepdim=True) + 1e-20)
        return experts, weights * self.routed_scaling_factor


class Model(nn.Module):
    """Mixture of experts of DeepSeek-V3, with experts that every token uses.

    An expert is a gated perceptron: down(silu(gate(x)) * up(x)). The result is
    the weighted sum of the num_experts_per_tok experts that the router picks for
    a token, plus a perceptron shared by all tokens whose width is
    n_shared_experts * intermediate_size. Inference only.

    hidden_states and the result have shape (batch_size, seq_len, hidden_size).
    The work per expert depends on the data: its tokens are gathered, run
    through its three matrices and put back.
    """

    def __init__(
        self,
        hidden_size: int,
        intermediate_size: int,
        n_routed_experts: int,
        num_experts_per_tok: int,
        n_group: int,
        topk_group: int,
        n_shared_experts: int = 0,
        routed_scaling_factor: float = 1.0,
    ) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.intermediate_size = intermediate_size
        self.n_routed_experts = n_routed_experts
        self.num_experts_per_tok = num_experts_per_tok
        self.n_shared_experts = n_shared_experts

        inner = (n_routed_experts, intermediate_size, hidden_size)
        outer = (n_routed_experts, hidden_size, intermediate_size)
        self.gate_proj = nn.Parameter(torch.randn(inner) * 0.02)
        self.up_proj = nn.Parameter(torch.randn(inner) * 0.02)
        self.down_proj = nn.Parameter(torch.randn(outer) * 0.02)
        self.gate = MoEGate(
            hidden_size,
            n_routed_experts,
            num_experts_per_tok,
            n_group,
            topk_group,
            routed_scaling_factor,
        )
        if n_shared_experts > 0:
            shared_size = intermediate_size * n_shared_experts
            self.shared_gate_proj = nn.Linear(hidden_size, shared_size, bias=False)
            self.shared_up_proj = nn.Linear(hidden_size, shared_size, bias=False)
            self.shared_down_proj = nn.Linear(shared_size, hidden_size, bias=False)
        self.eval()

    def routed(self, x: torch.Tensor) -> torch.Tensor:
        """The routed experts' part for x of shape (tokens, hidden_size)."""
        experts, weights = self.gate(x)
        chosen = experts.flatten()
        order = chosen.argsort(stable=True)
        counts = chosen.bincount(minlength=self.n_routed_experts).tolist()
        # One row per token and choice, so that the order of summation is fixed.
        results = x.new_empty(chosen.numel(), self.hidden_size)
        for expert, rows in enumerate(order.split(counts)):
            h = x[rows // self.num_experts_per_tok]
            h = F.silu(F.linear(h, self.gate_proj[expert])) * F.linear(h, self.up_proj[expert])
            results[rows] = F.linear(h, self.down_proj[expert])
        results = results.view(-1, self.num_experts_per_tok, self.hidden_size)
        return (results * weights.unsqueeze(-1)).sum(dim=1).to(x.dtype)

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        assert not self.training, "grouped expert selection is for inference only"
        x = hidden_states.reshape(-1, self.hidden_size)
        y = self.routed(x)
        if self.n_shared_experts > 0:
            hidden = F.silu(self.shared_gate_proj(x)) * self.shared_up_proj(x)
            y = y + self.shared_down_proj(hidden)
        return y.view(hidden_states.shape)


OP_TYPE = "model"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 4
seq_len = 2048
hidden_size = 2048
intermediate_size = 1408
n_routed_experts = 64
num_experts_per_tok = 8
n_group = 8
topk_group = 4
n_shared_experts = 2
routed_scaling_factor = 2.5


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs() -> list:
    return [
        hidden_size,
        intermediate_size,
        n_routed_experts,
        num_experts_per_tok,
        n_group,
        topk_group,
        n_shared_experts,
        routed_scaling_factor,
    ]
