"""References on cpu against themselves, where the true ratio is 1, and against more work.

    ruler_test.py KERNELBENCH

A busy machine may give wide intervals, but not wrong ones: fails when ratios are
off and intervals deny it. A side that had to share its core with the other one
was 1.6 times as slow as it is, and few intervals contained 1.
"""

import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

PROBLEMS = "level1/1,level1/19,level1/23,level1/36,level2/12"
MEDIAN = 0.35  # of |log ratio|
WITHIN = 0.6  # share of intervals that contain 1
RELUS = 4
MORE = f"""
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range({RELUS - 1}):
            torch.relu(x)
        return torch.relu(x)
"""
TWICE = """
import torch


class ModelNew(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        torch.matmul(a, b)
        return torch.matmul(a, b)
"""
SLEEP = 0.5  # s
SLEEPS = f"""
import time

import torch


class ModelNew(torch.nn.Module):
    slept = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.slept:
            time.sleep({SLEEP})
            self.slept = True
        return torch.relu(x)
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


def judged(problem: str, candidate: str) -> dict[str, Any]:
    """The evaluation of one candidate."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candidate.py"
        path.write_text(candidate)
        command = [sys.argv[1], "eval", str(path), "--problem", problem, "--device", "cpu"]
        said = subprocess.run(
            [*command, "--json", "--no-store"], stdout=subprocess.PIPE, text=True, check=False
        )
    evaluation: dict[str, Any] = json.loads(said.stdout)["evaluations"][0]
    return evaluation


def is_known(evaluation: dict[str, Any], truth: float) -> bool:
    """Whether the speedup is the true one, or its interval says that it may be."""
    speedup = evaluation["speedup"]
    print(evaluation["problem"], "is", speedup, "and should be", round(truth, 3))
    off = abs(math.log(speedup["estimate"] / truth))
    return off <= MEDIAN or bool(speedup["low"] <= truth <= speedup["high"])


def seconds_of(relus: int, x: torch.Tensor) -> list[float]:
    """Of so many by plain PyTorch, sorted. The first finds nothing in the caches."""
    other = torch.rand(1 << 24)
    found = []
    for _ in range(15):
        other.add_(1)
        start = time.perf_counter()
        for _ in range(relus):
            y = torch.relu(x)
        found.append(time.perf_counter() - start)
        del y
    return sorted(found)


@contextlib.contextmanager
def others_at_work() -> Iterator[None]:
    """Two programs for each processor, which want all of it."""
    loop = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(loop) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def relus_cost_what_pytorch_says() -> bool:
    """Whether several ReLUs take as much longer than one as they do without us. Moving bytes
    is all that they do, so that a copy of the output would hide half of it. With others at
    work the interval shall have it: they lose the processor, and one ReLU does not. Where
    these are not ours plain PyTorch has no answer either: then only that nothing is copied."""
    torch.set_num_threads(1)
    x = torch.rand(61, 65537)
    for _ in range(3):
        evaluation = judged("level1/19", MORE)
        if evaluation["ruler"]["copied"]:
            return False
        one, several = seconds_of(1, x), seconds_of(RELUS, x)
        truth = one[0] / several[0]
        if several[len(several) // 2] > 1.3 * several[0]:
            print("the machine is busy")
            return True
        if not is_known(evaluation, truth):
            continue
        with others_at_work():
            beside = judged("level1/19", MORE)
        if is_known(beside, truth):
            return True
    return False


def first_call_is_told_apart() -> bool:
    """Whether what the first call sleeps is in its time, and in no other."""
    evaluation = judged("level1/19", SLEEPS)
    first, later = evaluation["ruler"]["first_us"], evaluation["candidate_time_us"]["median"]
    print("the first call took", first, "us, the others", later)
    return bool(SLEEP <= first / 1e6 <= evaluation["wall_seconds"] and later / 1e6 < SLEEP / 2)


def main() -> int:
    """Runs the self-test; 1 when the ruler is crooked."""
    found = selftest("--problem", PROBLEMS)
    summary = {name: found[name] for name in ("measured", "failed", "median", "within")}
    print(summary)
    straight = found["median"] <= MEDIAN or found["within"] >= WITHIN
    truths = [straight, found["failed"] == 0, of_several_processes()]
    truths += [is_known(judged("level1/1", TWICE), 1 / 2), relus_cost_what_pytorch_says()]
    truths.append(first_call_is_told_apart())
    return 0 if all(truths) else 1


if __name__ == "__main__":
    sys.exit(main())
