"""Whether docs/wire.md shows the messages between processes, and the memory that they share, as
src/wire declares them."""

import re
from collections.abc import Iterator
from pathlib import Path

from documents import Document, Finding

CHANNEL = "src/wire/include/wire/channel.h"
SETUP = "src/wire/include/wire/setup.h"
MAILBOX = "src/wire/include/wire/mailbox.h"
LANE = "src/lane/lane.cc"  # sends what an oracle is asked for

ENUMERATOR = re.compile(r"\bk(\w+) = (\d+),")
MESSAGE = re.compile(r"(\d+) (\w+)(?:, )?")
REQUEST = re.compile(r"MessageType::k(\w+),\s*(\{\{.*?\}\})[,)]", re.DOTALL)
KEY = re.compile(r'\{"(\w+)",')
MEMBER = re.compile(r"^ +[\w:<>, ]*?[\w>] (\w+)(?: = [^;]*|\{\})?;", re.MULTILINE)
SPAN = re.compile(r"`(\w+)`")


def _enumerators(text: str) -> dict[str, str]:
    """Name -> number of the message types."""
    body = re.sub(r"//.*", "", text[text.index("enum class MessageType") :])
    return dict(ENUMERATOR.findall(body[: body.index("};")]))


def _members(text: str, struct: str) -> set[str]:
    """Of a struct, without those of the structs in it."""
    begin = rf"^( *)struct (?:alignas\(\d+\) )?{struct} {{\n"
    found = re.search(rf"{begin}(.*?)^\1}}", text, re.DOTALL | re.MULTILINE)
    code = re.sub(r"//.*|alignas\(\d+\) ", "", found[2])
    return {name for name in MEMBER.findall(code) if "operator" not in name}


def _rows(document: Document, heading: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of all tables of a section, without their heads."""
    inside = False
    for number, line in enumerate(document.lines, 1):
        if line.startswith("#"):
            inside = line == heading
        elif inside and line.startswith("| ") and not line.startswith(("| type", "| field")):
            yield number, [cell.strip() for cell in line.split("|")[1:-1]]


def _messages(document: Document, root: Path) -> Iterator[Finding]:
    declared = _enumerators((root / CHANNEL).read_text())
    keys = {
        name: set(KEY.findall(body)) for name, body in REQUEST.findall((root / LANE).read_text())
    }
    missing = dict(declared)
    for line, cells in _rows(document, document.lines[0]):
        for number, name in MESSAGE.findall(cells[0]):
            if missing.pop(name, None) != number:
                yield line, f"{CHANNEL} has no message {name} with number {number}"
            shown = set(SPAN.findall(cells[2]))
            if name in keys and shown != keys[name]:
                yield line, f"{LANE} sends {sorted(keys[name])} with {name}, not {sorted(shown)}"
    for name in missing:
        yield 1, f"message {name} is not shown"


def check(document: Document, root: Path) -> Iterator[Finding]:
    """Messages, their fields, and fields of shared memory that differ."""
    yield from _messages(document, root)
    mailbox = (root / MAILBOX).read_text()
    sections = {
        "## Setup": _members((root / SETUP).read_text(), "Setup"),
        "## The mailbox": _members(mailbox, "FromOracle")
        | _members(mailbox, "FromJail")
        | _members(mailbox, "Chain"),
    }
    for heading, declared in sections.items():
        shown = {
            name: line
            for line, cells in _rows(document, heading)
            for name in SPAN.findall(cells[0])
        }
        # The chain is one field of the mailbox, and has its own table.
        for name in sorted(declared - set(shown) - {"chain"}):
            yield 1, f"{name!r} is not shown under {heading!r}"
        for name in sorted(set(shown) - declared):
            yield shown[name], f"src/wire has no field {name!r}"
