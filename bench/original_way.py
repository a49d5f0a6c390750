"""One step of how the original evaluates, in a process of its own.

    original_way.py build CANDIDATE FOLDER
    original_way.py judge CANDIDATE FOLDER PROBLEM DEVICE

build: imports the candidate, so that torch's builder makes its extension in FOLDER.
judge: five comparisons on random inputs, then 100 timed calls, with the extension
that lies in FOLDER. Prints "correct" or "incorrect" and the mean in milliseconds.
"""

import importlib.util
import os
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

COMPARISONS, WARM_UPS, CALLS = 5, 3, 100


def load(path: str, name: str) -> ModuleType:
    """Executes a file as a module."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def mean_millis(model: Any, inputs: list[Any], device: str) -> float:
    """Of calls one after the other, by events on a GPU and the clock on cpu."""
    import torch

    for _ in range(WARM_UPS):
        model(*inputs)
    total = 0.0
    for _ in range(CALLS):
        if device == "cpu":
            begin = time.perf_counter()
            model(*inputs)
            total += 1e3 * (time.perf_counter() - begin)
            continue
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        model(*inputs)
        end.record()
        torch.cuda.synchronize()
        total += start.elapsed_time(end)
    return total / CALLS


def judge(candidate: str, problem_file: str, device: str) -> int:
    """0 when all comparisons agree."""
    import torch

    problem = load(problem_file, "problem")
    made = load(candidate, "candidate")
    init = problem.get_init_inputs()
    torch.manual_seed(42)
    reference = problem.Model(*init).to(device)
    torch.manual_seed(42)
    model = made.ModelNew(*init).to(device)
    agree, inputs = True, []
    with torch.no_grad():
        for seed in range(COMPARISONS):
            torch.manual_seed(seed)
            inputs = [x.to(device) for x in problem.get_inputs()]
            said, expected = model(*inputs), reference(*inputs)
            agree = agree and torch.allclose(said, expected, atol=1e-4, rtol=1e-4)
        millis = mean_millis(model, inputs, device) if agree else 0.0
    print("correct" if agree else "incorrect", f"{millis:.4f}")
    return 0 if agree else 1


def main() -> int:
    step, candidate, folder = sys.argv[1:4]
    os.environ["TORCH_EXTENSIONS_DIR"] = folder
    Path(folder).mkdir(parents=True, exist_ok=True)
    if step == "judge":
        return judge(candidate, *sys.argv[4:6])
    load(candidate, "candidate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
