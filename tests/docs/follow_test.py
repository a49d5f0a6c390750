"""tests/docs/follow finds what leads nowhere, and nothing else.

Run by CTest with the source folder."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLLOW = Path(sys.argv[1]).resolve() / "tests/docs/follow"

PROGRAM = r"""#!/bin/sh
case "$*" in
  --help) printf 'Options:\n  -h,--help  help\n\nSubcommands:\n  eval  judges\n  runs  lists\n' ;;
  "eval --help") printf 'Options:\n  -h,--help  help\n  --size TEXT  full, or --large\n' ;;
  "runs --help") printf 'Options:\n  -h,--help  help\n\nSubcommands:\n  list  all\n' ;;
  "runs list --help") printf 'Options:\n  -h,--help  help\n' ;;
  *) exit 2 ;;
esac
"""

# Everything in it can be followed.
README = """# Of a small repository

[Style](docs/style.md#shape), `docs/style.md`, `src/<m>/include/<m>/*.h`, `base/text.h`,
`base/text.cc`, `samples/levelN/`, `samples/level1/FILE.cu`, `bench/aa --copies 2`, `--copies`,
`--size`, `build/dist/none`, [the paper](https://example.org/none), `~/none`, `level1/23`,
`make test`, `make -j4 JOBS=4 test`, `kernelbench
eval --size=full`, `eval --size small`, `kernelbench runs list | show`, `src/base/text.{h,cc}`.

    kernelbench            the orchestrator, in a table
    build/dist/bin/kernelbench eval --size \\
      small "--not an option"   # then `make test`; --nor this

```
kernelbench runs list > none --nor-this
```
"""

ARCHITECTURE = """# Architecture

## Modules

```
cli
eval  store
lane  wire
base
```

- **base** text. **lane** jails. **wire** messages.
  **store** tables. **eval** what follows.
- **cli** commands.

## Elsewhere

**base** may stand again.
"""

STORE = """# The store

    sqlite3 RUN.db "SELECT verdict FROM evaluations"

## `evaluations`

| column | type | meaning |
|---|---|---|
| `id`, `sample` | INTEGER | counts up |
| `verdict`, `speedup` | TEXT, REAL | what was found |
"""

SCHEMA = "CREATE TABLE evaluations (id INTEGER PRIMARY KEY, verdict TEXT, speedup REAL);\n"
SCHEMA_2 = "ALTER TABLE evaluations ADD COLUMN sample INTEGER;\n"

WIRE = """# Messages

| type | from, to | payload |
|---|---|---|
| 1 Open, 2 Quit | a, b | `id` |

## Setup

| field | meaning |
|---|---|
| `device` | where |

## The mailbox

| field | meaning |
|---|---|
| `arm`, `done` | numbers |

A chain:

| field | meaning |
|---|---|
| `calls` | how many |
"""

CHANNEL = "enum class MessageType {\n  kOpen = 1,  // {a};\n  kQuit = 2,\n};\n"
SETUP = """struct Setup {
  std::string device;
  bool operator==(const Setup&) const = default;
};
"""
MAILBOX = """struct Chain {
  uint32_t calls = 1;
};
struct Mailbox {
  struct alignas(64) FromOracle {
    std::atomic<uint32_t> arm;
    Chain chain;
  } oracle;
  struct alignas(64) FromJail {
    alignas(64) std::atomic<uint32_t> done;
  } jail;
};
"""

LAYERS = "foreach(module\n    base\n    lane wire\n    eval store\n    cli)\nendforeach()\n"

FILES = {
    ".gitignore": "build/\n",
    "Makefile": "JOBS := 1\ntest: ## All tests\n\ttrue\n",
    "README.md": README,
    "ARCHITECTURE.md": ARCHITECTURE,
    "CONTRIBUTING.md": "",
    "SECURITY.md": "",
    "LICENSE": "",
    "docs/store.md": STORE,
    "docs/wire.md": WIRE,
    "src/wire/include/wire/channel.h": CHANNEL,
    "src/wire/include/wire/setup.h": SETUP,
    "src/wire/include/wire/mailbox.h": MAILBOX,
    "src/lane/lane.cc": 'Request(MessageType::kOpen, {{"id", id}});\n',
    "docs/style.md": "# Style\n\n## Shape\n\n[up](../README.md)\n",
    "bench/README.md": "`copy.cu`\n",
    "bench/copy.cu": "",
    "bench/aa": 'parser.add_argument("--copies")\n',
    "samples/README.md": "`level1/relu.cu`, `relu.cu`\n",
    "samples/level1/relu.cu": "",
    "tests/hostile/README.md": "",
    "CHANGES/README.md": "",
    ".github/pull_request_template.md": "",
    "src/CMakeLists.txt": LAYERS,
    "src/base/text.cc": "",
    "src/store/schema.sql": SCHEMA,
    "src/store/schema_2.sql": SCHEMA_2,
    "src/eval/eval.cc": "",
    "src/cli/main.cc": "",
    "src/base/include/base/text.h": "",
}

# What is put at the end of a document, and what must be said of it.
PLANTED = (
    ("README.md", "[gone](docs/gone.md)", "link to docs/gone.md, which is not there"),
    ("README.md", "[gone]\n\n[gone]: docs/gone.md", "link to docs/gone.md, which is not there"),
    ("docs/style.md", "[gone](README.md)", "link to README.md, which is not there"),
    ("README.md", "`docs/gone.md`", "docs/gone.md is not there"),
    ("README.md", "    cat docs/gone.md", "docs/gone.md is not there"),
    ("README.md", "`ROADMAP.md`", "ROADMAP.md is not there"),
    ("README.md", "`docs/NOTES.md`", "docs/NOTES.md is not there"),
    ("README.md", "`CHANGES/LICENSE`", "CHANGES/LICENSE is not there"),
    ("README.md", "`base/gone.h`", "base/gone.h is not there"),
    ("README.md", "`src/<m>/*.rs`", "src/<m>/*.rs is not there"),
    ("README.md", "`samples/levelN/FILE.py`", "samples/levelN/FILE.py is not there"),
    ("README.md", "`bench/gone`", "bench/gone is not there"),
    ("samples/README.md", "`level1/gone.cu`", "level1/gone.cu is not there"),
    ("samples/README.md", "`gone.cu`", "gone.cu is not in this folder"),
    ("README.md", "see ../notes.md", "../notes.md leads out of the repository"),
    ("docs/style.md", "`../../notes.md`", "../../notes.md leads out of the repository"),
    ("README.md", "`kernelbench judge`", "kernelbench has no command judge"),
    ("README.md", "`kernelbench runs show`", "kernelbench has no command runs show"),
    ("README.md", "`runs show`", "kernelbench has no command runs show"),
    ("README.md", "`kernelbench eval --large`", "kernelbench eval has no option --large"),
    ("README.md", "`kernelbench\neval --large`", "kernelbench eval has no option --large"),
    ("README.md", "`eval --large=1`", "kernelbench eval has no option --large"),
    ("README.md", "`kernelbench --large`", "kernelbench has no option --large"),
    ("README.md", "    kernelbench eval -s 1", "kernelbench eval has no option -s"),
    ("README.md", "```\n$ bin/kernelbench judge\n```", "kernelbench has no command judge"),
    ("README.md", "`--large`", "no command and no script has an option --large"),
    ("README.md", "`bench/aa --gone`", "bench/aa has no option --gone"),
    ("README.md", "    bench/aa --copy", "bench/aa has no option --copy"),
    ("README.md", "`make gone`", "make gone: the Makefile has no such target"),
    ("README.md", "    make test gone", "make gone: the Makefile has no such target"),
    ("README.md", "    x # `make gone`", "make gone: the Makefile has no such target"),
    (".github/pull_request_template.md", "`docs/gone.md`", "docs/gone.md is not there"),
)

# What is changed in which file, and what must be said of docs/store.md.
CHANGED_STORE = (
    ("docs/store.md", "`id`, ", "", "5: column 'id' of 'evaluations' is not shown"),
    ("docs/store.md", "TEXT, REAL", "TEXT", "10: column 'speedup' is REAL, not TEXT"),
    ("docs/store.md", "`verdict`", "`id`", "10: table 'evaluations' has no column 'id', or"),
    ("docs/store.md", "SELECT verdict", "SELECT gone", "3: SELECT gone FROM evaluations: no such"),
    ("docs/store.md", "## `evaluations`", "## `gone`", "5: no table 'gone' in the store"),
    ("src/store/schema_2.sql", "sample", "samples", "5: column 'samples' of 'evaluations' is not"),
    ("src/store/schema.sql", "CREATE", "CREATE TABLE rows (id); CREATE", "1: table 'rows' is not"),
)

# What is changed in which file, and what must be said of docs/wire.md.
CHANGED_WIRE = (
    ("docs/wire.md", "2 Quit", "3 Quit", "5: src/wire/include/wire/channel.h has no message Quit"),
    ("docs/wire.md", ", 2 Quit", "", "1: message Quit is not shown"),
    ("docs/wire.md", "`id`", "`it`", "5: src/lane/lane.cc sends ['id'] with Open, not ['it']"),
    ("docs/wire.md", "`arm`, ", "", "1: 'arm' is not shown under '## The mailbox'"),
    ("docs/wire.md", "`calls`", "`call`", "1: 'calls' is not shown under '## The mailbox'"),
    ("docs/wire.md", "`device`", "`device`, `gone`", "11: src/wire has no field 'gone'"),
)

# What is changed in which file, and what must be said of ARCHITECTURE.md.
CHANGED = (
    ("ARCHITECTURE.md", "## Modules", "## Parts", "1: has no section '## Modules'"),
    ("src/CMakeLists.txt", "cli", "run cli", "3: run is in src/ or in src/CMakeLists.txt"),
    ("src/CMakeLists.txt", "eval store", "eval", "3: store is in src/ or in src/CMakeLists.txt"),
    ("src/CMakeLists.txt", "eval store", "store eval", "7: layer 'eval store' is 'store eval'"),
    ("src/CMakeLists.txt", "eval store", "eval\n store", "7: layer 'eval store' is 'store'"),
    ("ARCHITECTURE.md", "base\n```", "```", "3: 3 layers are shown, src/CMakeLists.txt has 4"),
    ("ARCHITECTURE.md", "**store** tables. ", "", "3: store is not described"),
    ("ARCHITECTURE.md", "**cli** c", "**cli** **base** c", "14: base is described twice"),
    ("ARCHITECTURE.md", "**cli** c", "**run** c", "14: run is no module of src/CMakeLists.txt"),
    ("ARCHITECTURE.md", "**base** text", "**cli** text", "13: store is described after a module"),
)


class Follow(unittest.TestCase):
    """A small repository with one thing planted in it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "repository"
        for name, text in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.program = self.root / "build/dist/bin/kernelbench"
        self.program.parent.mkdir(parents=True)
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def follow(self) -> tuple[int, list[str]]:
        command = [sys.executable, "-B", str(FOLLOW), str(self.root), str(self.program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def test_nothing_is_found_where_all_is_there(self) -> None:
        self.assertEqual(self.follow(), (0, []))

    def test_what_is_planted_is_found_in_its_line(self) -> None:
        for name, planted, said in PLANTED:
            with self.subTest(planted, name=name):
                before = FILES[name].rstrip("\n")
                (self.root / name).write_text(f"{before}\n\n{planted}\n")
                code, found = self.follow()
                (self.root / name).write_text(FILES[name])
                first = before.count("\n") + 3
                lines = range(first, first + planted.count("\n") + 1)
                self.assertEqual(code, 1)
                self.assertIn(found[-1], [f"{name}:{line}: {said}" for line in lines])

    def follow_changed(self, change: tuple[str, str, str, str], document: str) -> None:
        name, before, after, said = change
        with self.subTest(after, name=name):
            self.assertEqual(FILES[name].count(before), 1)
            (self.root / name).write_text(FILES[name].replace(before, after))
            code, found = self.follow()
            (self.root / name).write_text(FILES[name])
            self.assertEqual(code, 1)
            self.assertIn(f"{document}:{said}", "\n".join(found))

    def test_modules_that_are_listed_otherwise_are_found(self) -> None:
        for change in CHANGED:
            self.follow_changed(change, "ARCHITECTURE.md")

    def test_messages_that_are_shown_otherwise_are_found(self) -> None:
        for change in CHANGED_WIRE:
            self.follow_changed(change, "docs/wire.md")

    def test_tables_that_are_shown_otherwise_are_found(self) -> None:
        for change in CHANGED_STORE:
            self.follow_changed(change, "docs/store.md")

    def test_missing_document_is_found(self) -> None:
        (self.root / "SECURITY.md").unlink()
        self.assertEqual(self.follow(), (1, ["SECURITY.md:1: no such document"]))

    def test_missing_program_is_wrong_usage(self) -> None:
        self.program.unlink()
        self.assertEqual(self.follow(), (2, []))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
