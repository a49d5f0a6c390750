# expect: load_error
# problem: level1/19
# about: Looks for a right answer among the evaluator's own files, beside the host it runs in.
import sys
from pathlib import Path
from types import ModuleType

import torch
import torch.nn as nn

INSTALLED = Path(sys.argv[0]).resolve().parents[1]


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        problem = next(INSTALLED.rglob("19_ReLU.py"))
        found = ModuleType("found")
        exec(problem.read_text(), found.__dict__)
        self.model = found.Model()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x)
