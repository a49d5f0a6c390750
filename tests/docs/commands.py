"""Whether commands that a document shows exist, with the options it gives them."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from documents import Code, Document, Finding

# The program as a command. Two blanks after it are a table.
CALL = re.compile(r"(?:^|(?<=[\s(`]))(?:[\w./-]*/)?kernelbench (?=\S)")
AFTER_COMMAND = "|;&>#`"
OPTION = re.compile(r"--?[A-Za-z][\w-]*")
LONG_OPTION = re.compile(r"--[a-z][a-z-]*")
SCRIPT_FOLDERS = ("bench", "scripts", "tests", "tools")
DEFINED = re.compile(r"add_argument\(\s*\"(--[\w-]+)\"|^\s*(--[\w-]+)\)", re.MULTILINE)


@dataclass(frozen=True)
class Help:
    """What --help of a command lists."""

    subcommands: frozenset[str]
    options: frozenset[str]


class Program:
    """kernelbench, as its --help describes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[tuple[str, ...], Help] = {}

    def help(self, *command: str) -> Help:
        """Of a command, or of the program; each is asked once."""
        if command not in self._known:
            self._known[command] = self._ask(command)
        return self._known[command]

    def _ask(self, command: tuple[str, ...]) -> Help:
        call = [str(self._path), *command, "--help"]
        done = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True)
        options, _, subcommands = done.stdout.partition("\nSubcommands:\n")
        subcommands = subcommands.partition("\n\n")[0]  # an example may follow
        listed = re.findall(r"^  (-\S+)", options, re.MULTILINE)
        return Help(
            frozenset(re.findall(r"^  ([a-z]\S*)", subcommands, re.MULTILINE)),
            frozenset(name for names in listed for name in names.split(",")),
        )

    def all_options(self) -> set[str]:
        """Of all commands."""
        found: set[str] = set()
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            command = waiting.pop()
            said = self.help(*command)
            found |= said.options
            waiting += [(*command, name) for name in said.subcommands]
        return found


class Commands:
    """All that a document may tell its reader to call."""

    def __init__(self, root: Path, program: Path) -> None:
        self._root = root
        self._program = Program(program)
        self._options = self._program.all_options() | self._options_of_scripts()

    def _options_of_scripts(self) -> set[str]:
        found: set[str] = set()
        for folder in SCRIPT_FOLDERS:
            for path in (self._root / folder).rglob("*"):
                if path.is_file() and path.suffix in ("", ".py"):
                    for pair in DEFINED.findall(path.read_text(errors="replace")):
                        found |= set(pair) - {""}
        return found

    def check(self, document: Document) -> Iterator[Finding]:
        """What a document shows that cannot be called."""
        for code in document.code:
            for text in self._in(code):
                yield code.line, text

    def _in(self, code: Code) -> Iterator[str]:
        words = code.words() or [""]
        calls = [code.text[call.end() :] for call in CALL.finditer(code.text)]
        if not code.in_block and self._shortened(words):
            calls.append(code.text)
        for call in calls:
            yield from self._wrong_in_call(_split(call))
        option = words[0].partition("=")[0]
        if words[0].partition("/")[0] in SCRIPT_FOLDERS:
            yield from self._wrong_in_script(words)
        elif not code.in_block and LONG_OPTION.fullmatch(option) and option not in self._options:
            yield f"no command and no script has an option {option}"

    def _shortened(self, words: list[str]) -> bool:
        """Whether these words, in backticks, are a call without the program's name:
        `run --baseline compile`, `problems list`."""
        if len(words) == 1 or words[0] not in self._program.help().subcommands:
            return False
        return words[1].startswith("-") or bool(self._program.help(words[0]).subcommands)

    def _wrong_in_call(self, words: list[str]) -> Iterator[str]:
        command: list[str] = []
        said = self._program.help()
        while said.subcommands and words and words[0][0] not in "-[" and not words[0].isupper():
            command.append(words.pop(0))
            if command[-1] not in said.subcommands:
                yield f"kernelbench has no command {' '.join(command)}"
                return
            said = self._program.help(*command)
        for option in _options(words):
            if option not in said.options:
                yield f"{' '.join(['kernelbench', *command])} has no option {option}"

    def _wrong_in_script(self, words: list[str]) -> Iterator[str]:
        """A script knows an option when it is in it, or in what lies beside it."""
        script = self._root / words[0]
        if not script.is_file() or script.suffix:
            return
        beside = [path.read_text() for path in (script, *script.parent.glob("*.py"))]
        for option in _options(words[1:]):
            if not any(re.search(rf"{option}(?![\w-])", text) for text in beside):
                yield f"{words[0]} has no option {option}"


def _split(text: str) -> list[str]:
    """The words of one command."""
    try:
        # What is quoted is one word, also when it holds an option or a bar.
        words = shlex.split(text, comments=True)
    except ValueError:
        words = text.split()
    found: list[str] = []
    for word in words:
        if word and word[0] in AFTER_COMMAND:
            break
        found.append(word)
        if word.endswith((";", "`")):
            found[-1] = word[:-1]
            break
    return [word for word in found if word]


def _options(words: list[str]) -> Iterator[str]:
    for word in words:
        option = word.strip("[]").partition("=")[0]
        if OPTION.fullmatch(option):
            yield option
