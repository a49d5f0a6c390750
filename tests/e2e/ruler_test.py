"""References on cpu against themselves, where the true ratio is 1, and against twice the work.

    ruler_test.py KERNELBENCH

A busy machine may give wide intervals, but not wrong ones: fails when ratios are
off and intervals deny it. A side that had to share its core with the other one
was 1.6 times as slow as it is, and few intervals contained 1.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PROBLEMS = "level1/1,level1/19,level1/23,level1/36,level2/12"
MEDIAN = 0.35  # of |log ratio|
WITHIN = 0.6  # share of intervals that contain 1
TWICE = """
import torch


class ModelNew(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        torch.matmul(a, b)
        return torch.matmul(a, b)
"""


def selftest(*options: str) -> dict[str, Any]:
    """What the self-test says of these problems."""
    command = [sys.argv[1], "selftest", "timing", "--device", "cpu", "--json", "--no-store"]
    said = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=False)
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def of_several_processes() -> bool:
    """Whether two processes of each side are read when two are asked for."""
    found = selftest("--problem", "level1/23", "--processes", "2")
    evaluation = found["problems"][0]["evaluation"]
    timed = {trial["process"] for trial in evaluation["trials"] if trial["timed"]}
    print("processes:", evaluation["verdict"], sorted(timed))
    return (
        evaluation["verdict"] == "correct"
        and timed == {0, 1}
        and evaluation["ruler"]["processes"] == 2
    )


def twice_the_work_is_half_as_fast() -> bool:
    """Whether a candidate that computes the reference twice has the ratio 1/2."""
    with tempfile.TemporaryDirectory() as folder:
        candidate = Path(folder) / "twice.py"
        candidate.write_text(TWICE)
        command = [sys.argv[1], "eval", str(candidate), "--problem", "level1/1", "--device", "cpu"]
        said = subprocess.run(
            [*command, "--json", "--no-store"], stdout=subprocess.PIPE, text=True, check=False
        )
    speedup = json.loads(said.stdout)["evaluations"][0]["speedup"]
    print("twice the work:", speedup)
    off = abs(math.log(speedup["estimate"] / 0.5))
    return off <= MEDIAN or speedup["low"] <= 0.5 <= speedup["high"]


def main() -> int:
    """Runs the self-test; 1 when the ruler is crooked."""
    found = selftest("--problem", PROBLEMS)
    summary = {name: found[name] for name in ("measured", "failed", "median", "within")}
    print(summary)
    straight = found["median"] <= MEDIAN or found["within"] >= WITHIN
    truths = (straight, found["failed"] == 0, of_several_processes())
    return 0 if all(truths) and twice_the_work_is_half_as_fast() else 1


if __name__ == "__main__":
    sys.exit(main())
