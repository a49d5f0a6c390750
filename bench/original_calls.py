"""Kernels by KernelBench's own evaluator, each in a process of its own."""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

import judging

Row = dict[str, Any]
Item = TypeVar("Item")
LIMIT = 180  # seconds, of scripts/eval_from_generations.py
EVALUATOR = Path(__file__).resolve().parent / "original_evaluator.py"


def checkout(text: str) -> Path:
    """Of github.com/ScalingIntelligence/KernelBench."""
    path = Path(text)
    if not (path / "src/kernelbench/eval.py").is_file():
        raise argparse.ArgumentTypeError(f"{path}: no src/kernelbench/eval.py there")
    return path.resolve()


def parsed(doc: str | None, seconds: float, jobs: int, size: str = "") -> argparse.Namespace:
    """The options of what asks the evaluator; --size where it has a default."""
    parser = judging.parser(doc, seconds)
    parser.add_argument("checkout", type=checkout)
    parser.add_argument("--jobs", type=int, default=jobs, help="kernels at a time")
    if size:
        parser.add_argument("--size", default=size, help="full or small (the default)")
    options = parser.parse_args()
    options.device = options.device or "cuda:0"
    return options


def rows(
    options: argparse.Namespace,
    items: dict[str, Item],
    judge: Callable[[Item, Path], Row],
    show: Callable[[Row], None],
) -> dict[str, Row]:
    """What JUDGE says of each, with a folder of its own, by its name, until time is up.
    What --out has of a call before is not judged again, and is shown with the rest."""
    found: dict[str, Row] = {}
    if options.out and options.out.exists():
        for line in options.out.read_text().splitlines():
            row = json.loads(line)
            found[row["name"]] = row
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.jobs) as pool:

        def row_of(name: str) -> Row | None:
            if name in found:
                return found[name]
            if time.monotonic() > end:
                return None
            return {"name": name, **judge(items[name], Path(tempfile.mkdtemp(dir=scratch)))}

        # As they come: one that hangs keeps no other back.
        for done in as_completed([pool.submit(row_of, name) for name in items]):
            row = done.result()
            if row is None:
                continue
            if options.out and row["name"] not in found:
                with options.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            found[row["name"]] = row
            show(row)
    return found


def evaluate(
    checkout: Path, problem: Path, kernel: Path, device: str, trials: int = 0
) -> dict[str, Any]:
    """What original_evaluator.py prints of it, with TRIALS where they are not 0; what
    the kernel leaves behind is ended."""
    backend = "triton" if "import triton" in kernel.read_text() else "cuda"
    command = [sys.executable, EVALUATOR, checkout, problem, kernel, backend, device]
    command += [str(trials)] if trials else []
    wrong = {"compiled": False, "correct": False}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, start_new_session=True, **pipes) as process:
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return {**wrong, "why": f"no end after {LIMIT} s"}
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    for line in reversed(out.splitlines()):
        if line.startswith('{"compiled"'):
            found: dict[str, Any] = json.loads(line)
            return found
    last = err.strip().splitlines()[-1:] or [""]
    return {**wrong, "why": f"it ended with code {process.returncode}: {last[0][:150]}"}
