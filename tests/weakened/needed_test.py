"""Switches one defence off at a time and shows a program that gets through then.

needed_test.py KERNELBENCH WEAKENED: WEAKENED is the same program with an oracle that
obeys KB_WITHOUT. On cpu.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# The defence, and what it alone stops.
OF_THE_ORACLE = {
    "fresh_inputs": "caching/by_shape.cpp",
    "poison": "memory/unwritten_zeros.cpp",
    "inputs": "caching/spoils_input.cpp",
    "weights": "caching/spoils_weights.cpp",
    "red_zones": "memory/writes_behind.cpp",
}
# What the command line or a policy can switch off.
OF_THE_POLICY = {
    "mixed inputs": (
        {"inputs": "as_given", "distributions": False},
        "problems/identity.cpp",
    ),
    "other distributions": ({"distributions": False}, "problems/maximum_from_zero.cpp"),
    "parameters drawn anew": ({"redraw_flat_parameters": False}, "problems/no_affine.py"),
    "the measured tolerance": (
        {"error_multiple": 0, "tolerance": {"atol": 1e-2, "rtol": 1e-2}},
        "precision/cut_mantissa.cpp",
    ),
}

# What only some policies ask for: with it, without it, and what it stops.
OF_RULES = (
    (
        "what ran",
        {"name": "own-kernels", "provenance": "required"},
        {"name": "own-kernels", "provenance": "off"},
        "bypass/obfuscated.py",
    ),
    (
        "hidden sizes",
        {"name": "strict", "hidden_sizes": "required"},
        {"name": "strict"},
        "problems/fixed_rows.cpp",
    ),
)
HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
# Its times are not looked at.
BRIEF = ("--trials", "2", "--processes", "1")


def run(program: str, *words: str, without: str = "") -> dict[str, Any]:
    """What a command prints, on cpu."""
    command = [program, *words, "--device", "cpu", "--no-store", "--json"]
    environment = {**os.environ, "KB_WITHOUT": without}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def verdict(program: str, attempt: str, *words: str, without: str = "") -> str:
    """Of one program. Not timed: of the defences here none is a clock's."""
    path = str(HOSTILE / attempt)
    answer = run(program, "eval", path, "--trials", "0", *words, without=without)
    return str(answer["evaluations"][0]["verdict"])


class Test:
    """Counts what is not as it should be."""

    failures = 0

    def expect(self, right: bool, text: str) -> None:
        """A line for each."""
        print(f"{'ok' if right else 'FAILED'}: {text}")
        self.failures += not right

    def defence(self, name: str, with_it: str, without_it: str) -> None:
        """It stops a program that gets through without it."""
        self.expect(with_it != "correct", f"with {name}: {with_it}")
        self.expect(without_it == "correct", f"without {name}: {without_it}")


def main() -> int:
    """All of them."""
    program, weakened = sys.argv[1:]
    test = Test()
    for name, attempt in OF_THE_ORACLE.items():
        words = (weakened, attempt, "--policy", "kernelbench")
        test.defence(name, verdict(*words), verdict(*words, without=name))
    spoilt = ("selftest", "--hostile", "--filter", OF_THE_ORACLE["weights"])
    for without, harmed in (("", False), ("weights", True)):
        answer = run(weakened, *spoilt, *BRIEF, "--honest-between", without=without)
        found = any(line.startswith("after ") for line in answer["failed"])
        test.expect(found == harmed, f"without {without or 'nothing'}: {answer['failed']}")
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder) / "policy.json"

        def by(attempt: str, fields: dict[str, Any]) -> str:
            policy.write_text(json.dumps(fields))
            return verdict(program, attempt, "--policy", str(policy))

        for name, (fields, attempt) in OF_THE_POLICY.items():
            with_it = by(attempt, {"name": "strict"})
            test.defence(name, with_it, by(attempt, {"name": "strict", **fields}))
        for name, on, off, attempt in OF_RULES:
            test.defence(name, by(attempt, on), by(attempt, off))
    ours = (program, "leaks/our_files.cpp")
    test.defence("the jail's files", verdict(*ours), verdict(*ours, "--unsafe-no-sandbox"))
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
