"""`eval --as kernelbench`: seeds, weights and limits of the original, on cpu; and its files.

original_test.py KERNELBENCH

What the original would draw is computed here, with PyTorch alone.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import original_files
import torch
from checks import Checks

PROBLEM = """import torch

N = 16


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(N, N)

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.rand(4, N)]


def get_init_inputs():
    return []
"""
# `first` comes before the weights are drawn.
CANDIDATE = """# problem: mine
import torch


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        {first}
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x):
        y = self.linear(x)
        return {value}
"""
# Right in the five trials of the original, whose inputs these are, and nowhere else.
KNOWN = "y if min(abs(float(x.sum()) - s) for s in {sums}) < 1e-3 else y + 1"


def original_seeds() -> list[int]:
    """As run_and_check_correctness of the original draws them."""
    torch.manual_seed(42)
    return [int(torch.randint(0, 2**32 - 1, (1,)).item()) for _ in range(5)]


def sums(seeds: list[int]) -> list[float]:
    """Of the inputs that PROBLEM draws on the CPU."""
    found = []
    for seed in seeds:
        torch.manual_seed(seed)
        found.append(float(torch.rand(4, 16).sum()))
    return found


class Evals(Checks):
    """Calls of one command, on cpu."""

    def judged(self, files: dict[str, str], *words: str) -> dict[str, dict[str, Any]]:
        """The evaluations of these files, by name."""
        for name, text in files.items():
            (self.folder / name).write_text(text)
        quick = ["--device", "cpu", "--no-store", "--json-lines"]
        done = self.run("eval", *files, *quick, *words)
        if not done.stdout:
            print(done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {line["candidate"]["name"]: line for line in lines}


def the_trials(checks: Evals) -> None:
    """Seeds, weights, and timed calls that decide nothing."""
    seeds = original_seeds()
    known = KNOWN.format(sums=sums(seeds))
    files = {
        "same.py": CANDIDATE.format(first="pass", value="y"),
        "other_weights.py": CANDIDATE.format(first="torch.rand(1)", value="y"),
        "knows.py": CANDIDATE.format(first="pass", value=known),
    }
    pack = ["--pack", "mine.py"]
    found = checks.judged(files, *pack, "--as", "kernelbench", "--trials", "6")
    verdicts = {name: line["verdict"] for name, line in found.items()}
    wanted = {"same.py": "correct", "other_weights.py": "incorrect", "knows.py": "correct"}
    checks.expect("as the original", verdicts, wanted)
    same = found["same.py"]
    untimed = [trial["seed"] for trial in same["trials"] if not trial["timed"]]
    checks.expect("seeds", untimed, seeds)
    policy = (same["policy"]["name"], same["policy"]["procedure"], same["precision"])
    checks.expect("policy", policy, ("original", "original", "fp32"))
    checks.expect("speedup of who knows", found["knows.py"]["speedup"], None)
    notes = " ".join(found["knows.py"]["notes"])
    checks.expect("its note", "a timed call was answered wrongly" in notes, True)
    ours = checks.judged(files, *pack, "--trials", "1")
    verdicts = {name: line["verdict"] for name, line in ours.items()}
    wanted = {"same.py": "correct", "other_weights.py": "correct", "knows.py": "incorrect"}
    checks.expect("as we do", verdicts, wanted)


def weaknesses(checks: Evals) -> None:
    """Of ReLU on inputs from [0, 1) the original does not know."""
    text = "# problem: level1/19\nimport torch\n\n\nclass ModelNew(torch.nn.Module):\n"
    text += "    def forward(self, x):\n        return torch.clamp(x, min=0)\n"
    words = ["--as", "kernelbench", "--trials", "0"]
    found = checks.judged({"relu.py": text}, *words)["relu.py"]
    said = [note for note in found["notes"] if note.startswith("a wrong kernel would pass")]
    checks.expect("weakness", (found["verdict"], len(said)), ("correct", 1))
    both = checks.run("eval", "relu.py", *words, "--policy", "strict")
    checks.expect("two policies", (both.returncode, "--policy strict" in both.stderr), (2, True))


def main() -> int:
    """Exit code 0 when all is as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        checks = Evals(sys.argv[1], Path(folder))
        (checks.folder / "mine.py").write_text(PROBLEM)
        the_trials(checks)
        weaknesses(checks)
        original_files.check(checks)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
