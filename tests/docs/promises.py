"""Holds the table of promises in docs/threat-model.md against the sources.

    promises.py CHECKOUT

Each promise names what keeps it and at least one test, and each test is there: a
program of tests/hostile, or a test of ctest.
"""

import re
import sys
from pathlib import Path

HEADING = "## What shows it"
NAME = re.compile(r"`([^`]+)`")
TESTS = re.compile(r"add_test\(\s*NAME\s+(\w+)|kb_cli_test\((\w+)")


def rows(document: str) -> list[list[str]]:
    """The cells of the table below the heading."""
    _, _, text = document.partition(HEADING)
    lines = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def tests_of(checkout: Path) -> set[str]:
    """The names that ctest knows, modules' among them."""
    names: set[str] = set()
    for file in [*checkout.glob("tests/**/CMakeLists.txt"), *checkout.glob("src/**/CMakeLists.txt")]:
        text = file.read_text()
        for plain, command in TESTS.findall(text):
            names.add(plain or f"cli_{command}")
        names |= set(re.findall(r"kb_module\((\w+)", text))
    return names


def wrong(row: list[str], checkout: Path, tests: set[str]) -> list[str]:
    """What is wrong with one promise."""
    if len(row) != 4:
        return [f"{row[0]}: {len(row)} cells, not 4"]
    promise, kept_by, shown_by, _ = row
    found = [] if kept_by else [f"{promise}: nothing keeps it"]
    named = NAME.findall(shown_by)
    if not named:
        found.append(f"{promise}: no test shows it")
    for name in named:
        there = (checkout / name).is_file() if "/" in name else name in tests
        if not there:
            found.append(f"{promise}: there is no {name}")
    return found


def main() -> int:
    """Of the checkout."""
    checkout = Path(sys.argv[1])
    table = rows((checkout / "docs/threat-model.md").read_text())
    tests = tests_of(checkout)
    problems = [] if table else [f"docs/threat-model.md: no table under {HEADING}"]
    for row in table:
        problems += wrong(row, checkout, tests)
    print("\n".join(problems) or f"{len(table)} promises")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
