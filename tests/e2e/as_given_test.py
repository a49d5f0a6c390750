"""Problems whose tensors are not all fp32, judged in the types that they make, on cpu.

as_given_test.py KERNELBENCH PROBLEMS
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from checks import Checks

# Integers, fp32 and bf16 beside each other; the answer is bf16.
PROBLEM = """import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.rand(64))

    def forward(self, x, picks):
        return x[picks] * self.scale.bfloat16()


def get_inputs():
    return [torch.randn(32, 64, dtype=torch.bfloat16), torch.randint(0, 32, (16,))]


def get_init_inputs():
    return []
"""
CANDIDATE = """# problem: {problem}
import torch


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.rand(64))
        self.kinds = {kinds}

    def forward(self, x, picks):
        assert (x.dtype, picks.dtype, self.scale.dtype) == self.kinds, (x.dtype, self.scale.dtype)
        return {value}
"""
MADE = "(torch.bfloat16, torch.int64, torch.float32)"
CAST = "(torch.float32, torch.int64, torch.float32)"
RIGHT = "x[picks] * self.scale.bfloat16()"


class Calls(Checks):
    """On cpu, nothing timed."""

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A whole call."""
        return self.run(*words, "--device", "cpu", "--trials", "0")

    def judged(self, kernels: dict[str, tuple[str, str]], *words: str) -> dict[str, Any]:
        """The evaluations of candidates of PROBLEM, by name."""
        (self.folder / "mixed.py").write_text(PROBLEM)
        for name, (kinds, value) in kernels.items():
            text = CANDIDATE.format(problem="mixed", kinds=kinds, value=value)
            (self.folder / name).write_text(text)
        # The rules whose tolerance is a fixed one.
        options = ["--policy", "kernelbench", "--pack", "mixed.py", "--no-store", "--json-lines"]
        done = self.call("eval", *kernels, *options, *words)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {line["candidate"]["name"]: line for line in lines}


def an_imported_problem(checks: Calls) -> None:
    """Nothing is cast unless it is asked for, and the tolerance is bf16's."""
    kernels = {
        "good.py": (MADE, RIGHT, "correct"),
        "near.py": (MADE, f"{RIGHT} * 1.004", "correct"),
        "far.py": (MADE, f"{RIGHT} * 1.06", "incorrect"),
        "wide.py": (MADE, "x[picks] * self.scale", "incorrect"),
    }
    given = checks.judged({name: (kinds, text) for name, (kinds, text, _) in kernels.items()})
    for name, (_, _, verdict) in kernels.items():
        found = given[name]
        allowed = 0 if name == "wide.py" else 1e-2  # of another type nothing is compared
        wanted = (verdict, "as_given", allowed)
        said = (found["verdict"], found["precision"], found["tolerance"]["atol"])
        checks.expect(name, said, wanted)
    cast = checks.judged({"cast.py": (CAST, RIGHT)}, "--precision", "fp32")["cast.py"]
    said = (cast["verdict"], cast["precision"], cast["tolerance"]["atol"])
    checks.expect("cast", said, ("correct", "fp32", 1e-4))


def the_selection(checks: Calls, problems: Path) -> None:
    """A run of v3 has v3's rules; references are their own right answers."""
    chosen = {
        "v3/level4/4": ("level4/4_FP8_Matmul.py", "as_given"),
        "v3/level4/6": ("level4/6_INT4_Quantized_GEMM.py", "as_given"),
        "v3/level1/47": ("level1/47_Sum_reduction_over_a_dimension.py", "fp32"),
    }
    answers = checks.folder / "answers"
    answers.mkdir()
    for problem, (path, _) in chosen.items():
        name = problem.replace("/", "_") + ".py"
        source = (problems / "v3" / path).read_text()
        (answers / name).write_text(f"# problem: {problem}\n{source}\n\nModelNew = Model\n")
    words = ["--select", "v3", "--problem", ",".join(chosen), "--model", f"replay:{answers}"]
    done = checks.call("run", *words, "--store", "v3.db", "--json")
    checks.expect("code", done.returncode, 0)
    if done.returncode != 0:
        print(done.stderr)
        return
    found = json.loads(done.stdout)["evaluations"]
    precisions = {e["problem"]: (e["precision"], e["verdict"]) for e in found}
    wanted = {problem: (precision, "correct") for problem, (_, precision) in chosen.items()}
    checks.expect("judged", precisions, wanted)
    checks.expect("policy", {e["policy"]["name"] for e in found}, {"v3"})
    tolerances = {e["precision"]: e["tolerance"]["atol"] for e in found}
    checks.expect("tolerances", tolerances, {"as_given": 1e-2, "fp32": 1e-3})
    again = checks.call("run", *words, "--store", "v3.db", "--policy", "kernelbench")
    checks.expect("another policy", (again.returncode, "policy" in again.stderr), (2, True))


def main() -> int:
    """Exit code 0 when all is as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        checks = Calls(sys.argv[1], Path(folder))
        an_imported_problem(checks)
        the_selection(checks, Path(sys.argv[2]))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
