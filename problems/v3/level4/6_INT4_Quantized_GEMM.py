import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer without bias whose weights are stored as 4-bit integers.

    y = x @ W.T, with W[n, k] = scales[n, k // group_size] * (w4[n, k] - 8) rounded
    to fp16. Byte j of row n of weight_packed (uint8, shape (N, K / 2)) holds
    w4[n, 2 j] in its low and w4[n, 2 j + 1] in its high four bits.

    x has shape (batch_size, seq_len, K), the result (batch_size, seq_len, N) and
    scales (N, K / group_size), all fp16; products are summed in fp32. Weights and
    scales are buffers and the same for every seed.
    """

    def __init__(self, K: int, N: int, group_size: int = 128) -> None:
        super().__init__()
        assert K % group_size == 0, "K must be a multiple of group_size"
        assert K % 2 == 0, "K must be even"
        self.K = K
        self.N = N
        self.group_size = group_size
        self.num_groups = K // group_size
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(1337)
            packed = torch.randint(0, 256, (N, K // 2), dtype=torch.uint8)
            scales = torch.randn(N, self.num_groups, dtype=torch.float16).abs() * 0.1
        self.register_buffer("weight_packed", packed)
        self.register_buffer("scales", scales)

    def unpack_int4(self, packed: torch.Tensor) -> torch.Tensor:
        """Bytes of shape (rows, columns / 2) to int32 in [0, 16), (rows, columns)."""
        low = packed & 0x0F
        high = packed >> 4
        return torch.stack((low, high), dim=-1).flatten(1).to(torch.int32)

    def dequantize_weights(self) -> torch.Tensor:
        """W, of shape (N, K) and type fp16."""
        centred = self.unpack_int4(self.weight_packed) - 8
        scales = self.scales.half().repeat_interleave(self.group_size, dim=1)
        return scales * centred.half()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.reshape(-1, self.K)
        y = rows @ self.dequantize_weights().to(x.dtype).t()
        return y.view(*x.shape[:-1], self.N)


OP_TYPE = "gemm"
SUPPORTED_PRECISIONS = ["fp4", "fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 4
seq_len = 2048
K = 4096
N = 11008
group_size = 128


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, K, dtype=torch.float16)]


def get_init_inputs() -> list:
    return [K, N, group_size]
