import torch
import torch.nn as nn


class Model(nn.Module):
    """Matrix product with both factors quantised to 8-bit floating point.

    y = x @ weight, where either factor t is first replaced by
    q(t) = fp8(clamp(t * scale, -fp8_max, fp8_max)), scale = fp8_max / max|t| of
    the whole tensor, and the product of the q is divided by both scales. The 8-bit
    type is e4m3 (fp8_max 448) or e5m2 (fp8_max 57344); rounding is to nearest
    even. Scales and scaled values are computed in the type of the tensor.

    x has shape (batch_size, seq_len, K), type fp16; weight has shape (K, N); the
    result has shape (batch_size, seq_len, N) and the type of x. Products are
    summed in fp32. The rounding of the quantisation is far larger than the
    tolerance: other scales, e.g. one per row, or more exact products do not match.
    The weight is the same for every seed. M is kept for information only.
    """

    def __init__(self, M: int, K: int, N: int, use_e4m3: bool = True) -> None:
        super().__init__()
        self.M = M
        self.K = K
        self.N = N
        self.use_e4m3 = use_e4m3
        self.fp8_dtype = torch.float8_e4m3fn if use_e4m3 else torch.float8_e5m2
        self.fp8_max = 448.0 if use_e4m3 else 57344.0
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(1337)
            self.weight = nn.Parameter(torch.randn(K, N) * 0.02)

    def compute_scale(self, t: torch.Tensor) -> torch.Tensor:
        """The factor that takes the largest magnitude of t to fp8_max."""
        return self.fp8_max / t.abs().max().clamp(min=1e-12)

    def quantize_to_fp8(self, t: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        """t in units of 1 / scale, as 8-bit floating point."""
        return (t * scale).clamp(-self.fp8_max, self.fp8_max).to(self.fp8_dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows, weight = x.reshape(-1, self.K), self.weight
        if x.dtype == torch.float64:
            # A float64 copy of a run: it has to quantise to the same values.
            rows, weight = as_it_was(rows), as_it_was(weight)
        x_scale = self.compute_scale(rows)
        w_scale = self.compute_scale(weight)
        x_fp8 = self.quantize_to_fp8(rows, x_scale)
        w_fp8 = self.quantize_to_fp8(weight.t().contiguous(), w_scale)
        x_unit = (1.0 / x_scale).float()
        w_unit = (1.0 / w_scale).float()

        if x.dtype != torch.float64 and has_fp8_matmul(x):
            y = torch._scaled_mm(
                x_fp8, w_fp8.t(), scale_a=x_unit, scale_b=w_unit, out_dtype=x.dtype
            )
        else:
            wide = torch.promote_types(x.dtype, torch.float32)
            y = (x_fp8.to(wide) @ w_fp8.to(wide).t()) * (x_unit.to(wide) * w_unit)
        return y.to(x.dtype).view(*x.shape[:-1], self.N)


def as_it_was(t: torch.Tensor) -> torch.Tensor:
    """The float64 copy of a tensor in its own type, fp16 or fp32."""
    half = t.half()
    return half if torch.equal(half.double(), t) else t.float()


def has_fp8_matmul(x: torch.Tensor) -> bool:
    """Whether the device of x multiplies 8-bit floating point (compute capability 8.9)."""
    return x.is_cuda and torch.cuda.get_device_capability(x.device) >= (8, 9)


OP_TYPE = "gemm"
SUPPORTED_PRECISIONS = ["fp4", "fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["H100", "B200"]
batch_size = 8
seq_len = 2048
M = batch_size * seq_len
K = 4096
N = 4096
use_e4m3 = True


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, seq_len, K, dtype=torch.float16)]


def get_init_inputs() -> list:
    return [M, K, N, use_e4m3]
