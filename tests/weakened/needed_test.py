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


# A program of the corpus and the policy that judges it, by name or as a file.
Attempt = tuple[str, str]


def run(program: str, *words: str, given: str = "", without: str = "") -> str:
    """What a command prints, on cpu."""
    done = subprocess.run(
        [program, *words, "--device", "cpu", "--no-store"],
        input=given,
        env={**os.environ, "KB_WITHOUT": without},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.stdout


def verdicts(program: str, attempts: list[Attempt], *words: str, without: str = "") -> list[str]:
    """Of each. Not timed: of the defences here none is a clock's."""
    tasks = [
        {"id": number, "path": str(HOSTILE / attempt), "policy": policy}
        for number, (attempt, policy) in enumerate(attempts)
    ]
    answers: dict[int, str] = {}
    lines = "".join(json.dumps(task) + "\n" for task in tasks)
    words = ("eval", "--json-lines", "-", "--trials", "0", *words)
    for line in run(program, *words, given=lines, without=without).splitlines():
        answer = json.loads(line)
        answers[answer["id"]] = str(answer.get("verdict", answer.get("error")))
    return [answers.get(number, "no answer") for number in range(len(tasks))]


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


def oracles(test: Test, weakened: str) -> None:
    """What the oracle holds against a candidate."""
    attempts = [(attempt, "kernelbench") for attempt in OF_THE_ORACLE.values()]
    held = verdicts(weakened, attempts)
    for name, attempt, with_it in zip(OF_THE_ORACLE, attempts, held, strict=True):
        test.defence(name, with_it, *verdicts(weakened, [attempt], without=name))
    spoilt = ("selftest", "--hostile", "--filter", OF_THE_ORACLE["weights"])
    for without, harmed in (("", False), ("weights", True)):
        words = (*spoilt, *BRIEF, "--honest-between", "--json")
        failed = json.loads(run(weakened, *words, without=without))["failed"]
        found = any(line.startswith("after ") for line in failed)
        test.expect(found == harmed, f"without {without or 'nothing'}: {failed}")


def policies(test: Test, program: str, folder: Path) -> None:
    """What a policy asks for."""
    pairs = [
        (name, attempt, {"name": "strict"}, {"name": "strict", **fields})
        for name, (fields, attempt) in OF_THE_POLICY.items()
    ]
    pairs += [(name, attempt, on, off) for name, on, off, attempt in OF_RULES]
    attempts = []
    for number, (_, attempt, *policies_of) in enumerate(pairs):
        for which, fields in zip(("on", "off"), policies_of, strict=True):
            file = folder / f"{number}_{which}.json"
            file.write_text(json.dumps(fields))
            attempts.append((attempt, str(file)))
    seen = verdicts(program, attempts)
    for (name, *_), with_it, without_it in zip(pairs, seen[::2], seen[1::2], strict=True):
        test.defence(name, with_it, without_it)


def main() -> int:
    """All of them."""
    program, weakened = sys.argv[1:]
    test = Test()
    oracles(test, weakened)
    with tempfile.TemporaryDirectory() as folder:
        policies(test, program, Path(folder))
    ours = [("leaks/our_files.cpp", "strict")]
    test.defence(
        "the jail's files",
        *verdicts(program, ours),
        *verdicts(program, ours, "--unsafe-no-sandbox"),
    )
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
