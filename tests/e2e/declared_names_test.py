"""No name that PyTorch's headers declare is missed by what the builder reads of them.

declared_names_test.py MAY_DECLARE

MAY_DECLARE: tests/builds/may_declare.cc. g++ says which of the words of torch/extension.h
and all that it includes are declared, by using-declarations of each of them in each of the
namespaces below. Names that a macro puts together are missed: a few of the mathematical
functions of C, and constants such as kFloat, of which the builder knows.
"""

import random
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

from torch.utils import cpp_extension

SEED, WORDS = 1, 2500
MOST_MISSED, LEAST_RULED_OUT = 0.02, 0.5
SCOPES = ("", "at::", "torch::", "c10::", "std::", "pybind11::", "torch::autograd::")
# Of the compiler, or constants, and a few keywords, of which g++ says something else.
OF_COMPILERS = re.compile(r"__|_[A-Z]|k[A-Z]|(\w+_cast|continue|export)$")
PUT_TOGETHER = re.compile(r".*f(16|32|64|128)x?(_r)?$")
UNDECLARED = re.compile(r"q\.cpp:(\d+):\d+: error: .*(has not been declared|not declared|not a member)")


def compiler(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Of what g++ says, in English."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    command = ["g++", "-std=c++20", "-w", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def declared(words: list[str], folder: Path, include: list[str]) -> dict[str, set[str]]:
    """Of each word the namespaces that have it."""
    asked = [(word, scope) for word in words for scope in SCOPES]
    lines = [f"namespace q{i} {{ using ::{scope}{word}; }}" for i, (word, scope) in enumerate(asked)]
    source = folder / "q.cpp"
    source.write_text("\n".join(["#include <torch/extension.h>", *lines]))
    said = compiler("-fsyntax-only", "-fmax-errors=0", *include, str(source)).stderr
    undeclared = {int(line) - 2 for line, _ in UNDECLARED.findall(said)}
    found: dict[str, set[str]] = {}
    for i, (word, scope) in enumerate(asked):
        if i not in undeclared:
            found.setdefault(word, set()).add(scope)
    return found


def said_by_us(program: str, source: Path, folders: Iterable[str], names: Iterable[str]) -> dict[str, set[str]]:
    """Of each name as what a header may declare it."""
    command = [program, str(source), *folders]
    done = subprocess.run(command, input="\n".join(names), capture_output=True, text=True, check=True)
    found: dict[str, set[str]] = {}
    for line in done.stdout.splitlines():
        kind, name = line.split()
        found.setdefault(name, set()).add(kind)
    return found


def main() -> int:
    """1 when too many are missed, or when it says so of all."""
    folders = [*cpp_extension.include_paths(), sysconfig.get_path("include")]
    include = [word for folder in folders for word in ("-isystem", folder)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "all.cpp"
        source.write_text("#include <torch/extension.h>\n")
        text = compiler("-E", "-dD", *include, str(source)).stdout
        macros = set(re.findall(r"^#define (\w+)", text, re.M))
        every = sorted(set(re.findall(r"\b[A-Za-z_]\w*", text)) - macros)
        words = random.Random(SEED).sample(
            [w for w in every if not OF_COMPILERS.match(w) and not PUT_TOGETHER.match(w)], WORDS
        )
        truth = declared(words, folder, include)
        own = sorted(m for m in macros if not m.startswith("_"))
        found = said_by_us(sys.argv[1], source, folders, [*words, *own])
    missed = [w for w in truth if w not in found]
    outside = [w for w, scopes in truth.items() if "" in scopes and found.get(w) == {"inside"}]
    undeclared = [w for w in words if w not in truth]
    ruled_out = [w for w in undeclared if w not in found]
    without = [m for m in own if not found.get(m, set()) & {"macro", "word"}]
    print(f"{len(truth)} of {WORDS} words are declared, {len(missed)} of them missed: {missed}")
    print(f"outside of namespaces, said to be inside: {outside}")
    print(f"{len(ruled_out)} of {len(undeclared)} undeclared ones are ruled out")
    print(f"{len(own)} macros, {len(without)} missed: {without[:20]}")
    good = (
        len(truth) > WORDS / 4
        and len(missed) + len(outside) <= MOST_MISSED * len(truth)
        and len(ruled_out) >= LEAST_RULED_OUT * len(undeclared)
        and len(without) <= MOST_MISSED * len(own)
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
