# expect: correct|incorrect
# problem: level1/1
# tricks: P11
# twin: ../twins/matmul.py
# about: Seven products instead of eight: legal, with larger errors.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        rows, columns = a.shape[0], b.shape[1]
        n = max(*a.shape, *b.shape)
        n += n % 2
        a = nn.functional.pad(a, (0, n - a.shape[1], 0, n - a.shape[0]))
        b = nn.functional.pad(b, (0, n - b.shape[1], 0, n - b.shape[0]))
        h = n // 2
        a11, a12, a21, a22 = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
        b11, b12, b21, b22 = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
        m1, m2 = (a11 + a22) @ (b11 + b22), (a21 + a22) @ b11
        m3, m4 = a11 @ (b12 - b22), a22 @ (b21 - b11)
        m5, m6, m7 = (a11 + a12) @ b22, (a21 - a11) @ (b11 + b12), (a12 - a22) @ (b21 + b22)
        top = torch.cat([m1 + m4 - m5 + m7, m3 + m5], dim=1)
        low = torch.cat([m2 + m4, m1 - m2 + m3 + m6], dim=1)
        return torch.cat([top, low])[:rows, :columns]
