"""Whether ARCHITECTURE.md shows the modules as src/CMakeLists.txt lists them."""

import re
from collections.abc import Iterator
from pathlib import Path

from documents import Document, Finding

Layers = list[list[str]]  # lowest first

HEADING = "## Modules"
LIST = re.compile(r"foreach\(module\s+(.*?)\)", re.DOTALL)
BOLD = re.compile(r"\*\*(\w+)\*\*")


def _listed(root: Path) -> Layers:
    """The lines of the list in src/CMakeLists.txt."""
    found = LIST.search((root / "src/CMakeLists.txt").read_text())
    return [line.split() for line in found[1].splitlines()] if found else []


def _section(document: Document) -> tuple[int, int]:
    """The lines of the section, counted from 0: the heading, and what is behind."""
    begin = document.lines.index(HEADING)
    for number in range(begin + 1, len(document.lines)):
        if document.lines[number].startswith("## "):
            return begin, number
    return begin, len(document.lines)


def _picture(document: Document, listed: Layers, section: tuple[int, int]) -> Iterator[Finding]:
    """The first block of code of the section, highest layer first."""
    shown = [code for code in document.code if code.in_block and code.line - 1 in range(*section)]
    rows = list(reversed(listed))
    for code, row in zip(shown, rows, strict=False):
        if code.words() != row:
            shown_row, listed_row = " ".join(code.words()), " ".join(row)
            yield code.line, f"layer {shown_row!r} is {listed_row!r} in src/CMakeLists.txt"
            return
    if len(shown) != len(rows):
        text = f"{len(shown)} layers are shown, src/CMakeLists.txt has {len(rows)}"
        yield section[0] + 1, text


def _described(document: Document, listed: Layers, section: tuple[int, int]) -> Iterator[Finding]:
    """Every module in bold, once, none after one of a layer above its own."""
    layer_of = {module: number for number, row in enumerate(listed) for module in row}
    missing = dict(layer_of)
    highest = 0
    for number in range(*section):
        for module in BOLD.findall(document.lines[number]):
            if module not in layer_of:
                yield number + 1, f"{module} is no module of src/CMakeLists.txt"
                continue
            if missing.pop(module, None) is None:
                yield number + 1, f"{module} is described twice"
            if layer_of[module] < highest:
                yield number + 1, f"{module} is described after a module of a layer above it"
            highest = max(highest, layer_of[module])
    for module in missing:
        yield section[0] + 1, f"{module} is not described"


def check(document: Document, root: Path) -> Iterator[Finding]:
    """What differs between the document, the list and the folders of src/."""
    if HEADING not in document.lines:
        yield 1, f"has no section {HEADING!r}"
        return
    listed = _listed(root)
    section = _section(document)
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    modules = {module for row in listed for module in row}
    for module in sorted(folders ^ modules):
        yield section[0] + 1, f"{module} is in src/ or in src/CMakeLists.txt, not in both"
    yield from _picture(document, listed, section)
    yield from _described(document, listed, section)
