"""One kernel by KernelBench's own evaluator, of a checkout of its repository.

    original_evaluator.py CHECKOUT PROBLEM.py KERNEL.py BACKEND DEVICE [TRIALS]

The last line that it prints is JSON: compiled, correct, and what the evaluator
says of a wrong one. With TRIALS, of a right one also: speedup, over so many timed
calls of each; excessive, whether the evaluator warns of it; and static, whether
its static check, which nobody calls unasked, lets it pass. On cpu, which the
evaluator does not know, the calls of torch.cuda that it makes do nothing.
"""

import contextlib
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch


class Fields:
    """What the evaluator needs of pydantic's BaseModel."""

    def __init__(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)


def without_clients() -> None:
    """Stands in for packages that the evaluator imports and does not use."""
    names = {
        "dotenv": ["load_dotenv"],
        "litellm": ["completion"],
        "openai": ["OpenAI"],
        "requests": [],
        "tqdm": ["tqdm"],
        "pydantic": [],
    }
    for package, members in names.items():
        if importlib.util.find_spec(package) is not None:
            continue
        module = ModuleType(package)
        for member in members:
            setattr(module, member, lambda *_, **__: None)
        sys.modules[package] = module
    if not hasattr(importlib.import_module("pydantic"), "BaseModel"):
        setattr(sys.modules["pydantic"], "BaseModel", Fields)  # noqa: B010


def without_cuda() -> None:
    """Lets the evaluator run on the processor."""

    @contextlib.contextmanager
    def nothing(*_: Any, **__: Any) -> Any:
        yield

    torch.cuda.is_available = lambda: True
    torch.cuda.current_device = lambda: 0
    torch.cuda.device = nothing  # type: ignore[assignment,misc]
    torch.cuda.get_device_name = lambda device=None: "cpu"
    for name in ("set_device", "synchronize", "empty_cache", "reset_peak_memory_stats"):
        setattr(torch.cuda, name, lambda *_, **__: None)


def main() -> int:
    """As scripts/eval_from_generations.py calls it: five trials, fp32, seed 42."""
    checkout, problem, kernel, backend, device, *trials = sys.argv[1:]
    sys.path.insert(0, str(Path(checkout) / "src"))
    without_clients()
    if device == "cpu":
        without_cuda()
    from kernelbench import eval as original  # type: ignore[import-not-found]

    if device == "cpu":
        import kernelbench.utils as utils  # type: ignore[import-not-found]

        utils.get_gpu_vendor = lambda *_: "nvidia"
    found = original.eval_kernel_against_ref(
        original_model_src=Path(problem).read_text(),
        custom_model_src=Path(kernel).read_text(),
        num_correct_trials=5,
        num_perf_trials=int(trials[0]) if trials else 1,
        measure_performance=bool(trials),
        device=torch.device(device),
        backend=backend,
        precision=torch.float32,
    )
    said: dict[str, Any] = {"compiled": False, "correct": False, "why": "nothing came back"}
    if found is not None:
        keys = ("compilation_error", "runtime_error", "correctness_issue")
        why = [str(found.metadata[key]) for key in keys if key in found.metadata]
        said = {
            "compiled": found.compiled,
            "correct": found.correctness,
            "why": " ".join(" ".join(why).split())[:200],
        }
    if trials and found is not None and found.correctness:
        from kernelbench import kernel_static_checker as checker

        text = Path(kernel).read_text()
        said["speedup"] = found.ref_runtime / found.runtime
        said["excessive"] = bool(found.metadata.get("excessive_speedup"))
        said["static"] = bool(checker.validate_kernel_static(text, backend, "fp32")[0])
    print(json.dumps(said), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
