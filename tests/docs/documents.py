"""What a Markdown document says that can be followed: its code and its links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Finding = tuple[int, str]  # line, what is wrong there

FENCE = re.compile(r" {0,3}(```+|~~~+)")
SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Code:
    """A span in backticks, or a line of a block of code (with those that a
    backslash joins to it)."""

    line: int
    text: str
    in_block: bool

    def words(self) -> list[str]:
        return self.text.split()


@dataclass
class Document:
    """One file, taken apart."""

    path: Path
    lines: list[str]
    code: list[Code] = field(default_factory=list)
    links: list[Finding] = field(default_factory=list)


def _split(lines: list[str]) -> tuple[list[str], list[Code]]:
    """The prose, with blank lines where a block of code is, and the blocks' lines."""
    prose: list[str] = []
    blocks: list[Code] = []
    fence = ""
    before = ""  # the line before, as prose; indented lines after it are code if it is blank
    for number, line in enumerate(lines, 1):
        opening = FENCE.match(line)
        if fence:
            closes = line.strip().startswith(fence) and not line.strip().strip(fence[0])
            if closes:
                fence = ""
            else:
                blocks.append(Code(number, line.strip(), True))
        elif opening:
            fence = opening[1]
        elif line.startswith("    ") and line.strip() and not before.strip():
            blocks.append(Code(number, line.strip(), True))
        else:
            prose.append(line)
            before = line
            continue
        prose.append("")
        before = ""
    return prose, blocks


def _joined(blocks: list[Code]) -> Iterator[Code]:
    """Lines of blocks, where those that end with a backslash go on."""
    begun = ""  # of a line that goes on
    line = 0
    for code in blocks:
        line = line if begun else code.line
        begun = f"{begun} {code.text}".strip()
        if begun.endswith("\\"):
            begun = begun[:-1].rstrip()
            continue
        yield Code(line, begun, True)
        begun = ""


def read(path: Path) -> Document:
    """Takes a document apart."""
    document = Document(path, path.read_text().splitlines())
    prose, blocks = _split(document.lines)
    text = "\n".join(prose)
    document.code = list(_joined(blocks))
    for span in SPAN.finditer(text):
        line = text.count("\n", 0, span.start(2)) + 1
        document.code.append(Code(line, " ".join(span[2].split()), False))
    without_spans = SPAN.sub(lambda span: re.sub(r"[^\n]", "x", span[0]), text)
    for link in LINK.finditer(without_spans):
        line = text.count("\n", 0, link.start()) + 1
        document.links.append((line, link[1] or link[2]))
    return document
