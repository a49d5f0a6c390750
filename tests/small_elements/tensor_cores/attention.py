# expect: correct
# problem: level3/43
# about: Online softmax: no scores are kept, and the weights are rounded to 16 bits for the product.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attend(
    qkv_ptr, y_ptr, length, heads, size, scale,
    ROWS: tl.constexpr, KEYS: tl.constexpr, SIZE: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0) * ROWS
    head = tl.program_id(1) % heads
    batch = (tl.program_id(1) // heads).to(tl.int64)
    channels = heads * size
    at_qkv = qkv_ptr + batch * length * 3 * channels + head * size
    dims = tl.arange(0, SIZE)
    rows = first + tl.arange(0, ROWS)
    inside = (rows[:, None] < length) & (dims[None, :] < size)
    q = tl.load(at_qkv + rows[:, None] * 3 * channels + dims[None, :], mask=inside, other=0.0)
    largest = tl.full((ROWS,), float("-inf"), tl.float32)
    weight = tl.zeros((ROWS,), tl.float32)
    total = tl.zeros((ROWS, SIZE), tl.float32)
    for start in range(0, min(first + ROWS, length), KEYS):
        keys = start + tl.arange(0, KEYS)
        held = (keys[:, None] < length) & (dims[None, :] < size)
        at = at_qkv + keys[:, None] * 3 * channels + dims[None, :]
        k = tl.load(at + channels, mask=held, other=0.0)
        v = tl.load(at + 2 * channels, mask=held, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = (keys[None, :] <= rows[:, None]) & (keys[None, :] < length)
        scores = tl.where(seen, scores, float("-inf"))
        now = tl.maximum(largest, tl.max(scores, 1))
        shrink = tl.exp(largest - now)
        weights = tl.exp(scores - now[:, None])
        weight = weight * shrink + tl.sum(weights, 1)
        total = total * shrink[:, None] + tl.dot(weights.to(v.dtype), v)
        largest = now
    narrow = (total / weight[:, None]).to(y_ptr.dtype.element_ty)
    at_y = y_ptr + (batch * length + rows[:, None]) * channels + head * size + dims[None, :]
    tl.store(at_y, narrow, mask=inside)


class ModelNew(nn.Module):
    def __init__(
        self, n_embd: int, n_head: int, attn_pdrop: float, resid_pdrop: float, max_seqlen: int
    ) -> None:
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        mask = torch.tril(torch.ones(max_seqlen, max_seqlen))
        self.register_buffer("bias", mask.view(1, 1, max_seqlen, max_seqlen))
        self.n_head = n_head

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, channels = x.shape
        size = channels // self.n_head
        qkv = self.c_attn(x).contiguous()
        y = torch.empty_like(x)
        rows, keys = (128, 64) if x.is_cuda else (512, 512)
        grid = (triton.cdiv(length, rows), batch * self.n_head)
        attend[grid](
            qkv, y, length, self.n_head, size, size**-0.5,
            ROWS=rows, KEYS=keys, SIZE=max(16, triton.next_power_of_2(size)), num_warps=8,
        )  # fmt: skip
        return self.c_proj(y)
