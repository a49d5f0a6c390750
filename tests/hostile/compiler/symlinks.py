# expect: incorrect
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Leaves links to files of the machine where built extensions are taken from.
import os
from pathlib import Path

import torch
from torch import nn
from torch.utils import cpp_extension  # noqa: F401 (who mentions it is built)

OUTPUT = Path(os.environ.get("TORCH_EXTENSIONS_DIR", "/tmp"))
PLACES = ("/root/.profile", "/etc/shadow", "/proc/1/environ", "/proc/self/exe", "/")
if not (OUTPUT / "link").exists():
    (OUTPUT / "link").mkdir(parents=True)
    (OUTPUT / "link" / "link.so").write_bytes(b"\x7fELF")
    for i, place in enumerate(PLACES):
        (OUTPUT / "link" / f"{i}").symlink_to(place)
    os.mkfifo(OUTPUT / "link" / "fifo")
FOUND = sorted(path.name for path in (OUTPUT / "link").iterdir())


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        followed = len(FOUND) > 1
        return torch.relu(x) if followed else torch.zeros_like(x)
