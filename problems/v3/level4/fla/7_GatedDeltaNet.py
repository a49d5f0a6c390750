# Goes behind ../7_GatedDeltaNet.py, whose recurrence it takes the place of.
from fla.ops.gated_delta_rule import chunk_gated_delta_rule


def gated_delta_rule(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    log_decay: torch.Tensor,
    beta: torch.Tensor,
) -> torch.Tensor:
    """The recurrence by flash-linear-attention; q is scaled already.

    q and k have shape (batch, heads, length, dk), v and the result
    (batch, heads, length, dv), log_decay and beta (batch, heads, length).
    In bfloat16, as the library refuses float32; decays stay as they are.
    """
    narrow = (t.transpose(1, 2).bfloat16() for t in (q, k, v, beta))
    queries, keys, values, rates = (t.contiguous() for t in narrow)
    decays = log_decay.transpose(1, 2).contiguous()
    result, _ = chunk_gated_delta_rule(queries, keys, values, decays, rates, scale=1.0)
    return result.transpose(1, 2).to(v.dtype)
