# expect: incorrect|load_error
# problem: level1/19
# tricks: B06
# twin: ../twins/relu.py
# about: Looks for the reference in modules, objects and files.
import glob
import sys
from pathlib import Path

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.found = next(
            (m.Model() for m in list(sys.modules.values()) if hasattr(m, "Model")), None
        )
        for folder in set(glob.glob("/*")) - {"/proc", "/sys", "/usr"}:
            for path in glob.glob(f"{folder}/**/19_ReLU.py", recursive=True):
                names: dict[str, type] = {}
                exec(Path(path).read_text(), names)
                self.found = names["Model"]()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.found(x) if self.found else torch.zeros_like(x)
