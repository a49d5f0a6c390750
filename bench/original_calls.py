"""Kernels by KernelBench's own evaluator, each in a process of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

LIMIT = 180  # seconds, of scripts/eval_from_generations.py
EVALUATOR = Path(__file__).resolve().parent / "original_evaluator.py"


def checkout(path: Path) -> Path:
    """Of github.com/ScalingIntelligence/KernelBench, whole; ends the program otherwise."""
    if not (path / "src/kernelbench/eval.py").is_file():
        sys.exit(f"{path}: no src/kernelbench/eval.py there")
    return path.resolve()


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
