"""A pack of one problem, a ReLU at level1/1, and what tests of runs over it share."""

import sqlite3
from pathlib import Path
from typing import Any

PROBLEM = """import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(61, 1021)]


def get_init_inputs() -> list:
    return []
"""
# What `run` takes to judge it on cpu.
JUDGED = ["--problem", "level1/1", "--backend", "cpp", "--device", "cpu", "--size", "full",
          "--processes", "1", "--prompt", "zero-shot"]


def make_pack(folder: Path) -> None:
    """Writes it."""
    (folder / "level1").mkdir(parents=True)
    (folder / "level1/1_ReLU.py").write_text(PROBLEM)


def check(right: bool, what: object) -> None:
    """Ends the test when something is wrong."""
    if not right:
        raise SystemExit(f"wrong: {what}")


def rows(store: Path, query: str) -> list[tuple[Any, ...]]:
    """Of a query on a store."""
    with sqlite3.connect(store) as database:
        return database.execute(query).fetchall()
