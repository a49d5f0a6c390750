"""Whether files, folders and targets of make that a document names are there."""

import re
from collections.abc import Iterator
from pathlib import Path

from documents import Code, Document, Finding

UPWARDS = re.compile(r"(?<![\w./*])(?:\.\./)+[\w./-]*")
PATH = re.compile(r"[\w.<>*{},+-]+(?:/[\w.<>*{},+-]*)+")
NAME = re.compile(r"[A-Z]+\.(?:md|cff)")  # without a folder: README.md
SOURCE = re.compile(r"\w+\.(?:cu|cpp|h|py)")
# <name>, FILE, the N of levelN: stands for some name. Not so NOTES.md.
CAPITALS = r"(?<![A-Za-z])[A-Z][A-Z_]*(?![A-Za-z_]|\.md\b)"
PLACEHOLDER = re.compile(rf"<[^<>]*>|{CAPITALS}|(?<=[a-z])N\b")
BRACES = re.compile(r"\{[^{}]*\}")
MAKE_IN_COMMENT = re.compile(r"`make ([^`]*)`")


class Repository:
    """Knows which paths are there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        ignored = (root / ".gitignore").read_text().split()
        self.top = {entry.name for entry in root.iterdir() if f"{entry.name}/" not in ignored}
        self.modules = {entry.name for entry in (root / "src").iterdir() if entry.is_dir()}
        # README is a name, FILE is not.
        self._names = {name.split(".")[0] for name in self.top if name.split(".")[0].isupper()}
        makefile = (root / "Makefile").read_text()
        self.targets = set(re.findall(r"^([a-z][\w-]*):(?!=)", makefile, re.MULTILINE))

    def names(self, word: str, beside: Path) -> bool:
        """Whether a word of a document looks like a path of the repository, or of
        the document's own folder."""
        if NAME.fullmatch(word):
            return True
        if not PATH.fullmatch(word):
            return False
        first = word.partition("/")[0]
        if first in self.top or first in self.modules:
            return True
        return beside != self.root and (beside / first).is_dir()

    def has(self, word: str, beside: Path) -> bool:
        """Whether something is there under this path. What begins with a module
        may be a source or a header of it."""
        path = word.rstrip("/")
        module = path.partition("/")[0]
        folders = [self.root, beside]
        if module in self.modules:
            folders += [self.root / "src", self.root / "src" / module / "include"]
        return any(self._found(folder, path) for folder in folders)

    def _found(self, folder: Path, path: str) -> bool:
        if (folder / path).exists():
            return True
        pattern = PLACEHOLDER.sub(lambda found: self._filled(found[0]), path)
        pattern = BRACES.sub("*", pattern)
        return "*" in pattern and any(folder.glob(pattern))

    def _filled(self, placeholder: str) -> str:
        return placeholder if placeholder in self._names else "*"


def _words(code: Code) -> Iterator[str]:
    for word in code.words():
        yield word.lstrip("\"'([").rstrip("\"')],;:.")


def _make_targets(code: Code) -> Iterator[str]:
    commands = MAKE_IN_COMMENT.findall(code.text)
    if code.text.startswith("make "):
        commands.append(code.text[len("make ") :].partition("#")[0])
    for command in commands:
        for word in command.split():
            if not word.startswith("-") and "=" not in word:
                yield word


def _in_code(document: Document, repository: Repository) -> Iterator[Finding]:
    beside = document.path.parent
    # A document that lies among sources names them without their folder.
    sources = set() if beside == repository.root else _sources(beside)
    for code in document.code:
        for word in _words(code):
            if repository.names(word, beside):
                if not repository.has(word, beside):
                    yield code.line, f"{word} is not there"
            elif sources and SOURCE.fullmatch(word) and word not in sources:
                yield code.line, f"{word} is not in this folder"
        for target in _make_targets(code):
            if target not in repository.targets:
                yield code.line, f"make {target}: the Makefile has no such target"


def _sources(folder: Path) -> set[str]:
    """The names of the sources in a folder and below it."""
    return {path.name for path in folder.rglob("*") if SOURCE.fullmatch(path.name)}


def _in_links(document: Document) -> Iterator[Finding]:
    for line, target in document.links:
        path = target.partition("#")[0]
        if path and ":" not in path and not (document.path.parent / path).exists():
            yield line, f"link to {target}, which is not there"


def _upwards(document: Document, repository: Repository) -> Iterator[Finding]:
    for number, line in enumerate(document.lines, 1):
        for found in UPWARDS.findall(line):
            place = (document.path.parent / found).resolve()
            if not place.is_relative_to(repository.root):
                yield number, f"{found} leads out of the repository"


def check(document: Document, repository: Repository) -> Iterator[Finding]:
    """What a document names that is not there."""
    yield from _in_links(document)
    yield from _upwards(document, repository)
    yield from _in_code(document, repository)
