"""clang-tidy over our compiled sources, on all cores, remembering what passed.

A file is skipped when nothing that clang-tidy would read has changed since it
last passed: its text, the headers of ours that it includes (as ninja recorded
them at the last build), its compile command, .clang-tidy, and clang-tidy.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from itertools import chain
from pathlib import Path

TIDY = "clang-tidy-19"
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
DIAGNOSTIC = re.compile(r"^/.*?:\d+:\d+: (?:error|warning): ", re.MULTILINE)


def source_commands(build):
    """The entries of the compile database of a configured build folder, with
    one for each source where several are compiled as one."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        together = entry["file"]
        if Path(together).parent.name != "Unity":
            yield entry
            continue
        for source in INCLUDE.findall(Path(together).read_text()):
            command = entry["command"].replace(f"-c {together}", f"-c {source}")
            yield entry | {"file": source, "command": command}


class Tidy:
    """root: the repository. build: a configured build folder. stamps: where
    passes are remembered."""

    def __init__(self, root, build, stamps):
        self.root, self.build, self.stamps = root, build, stamps
        self.commands = {}
        for entry in source_commands(build):
            self.commands.setdefault(Path(entry["file"]), entry)
        self.database = stamps / "database"
        self.database.mkdir(parents=True, exist_ok=True)
        (self.database / "compile_commands.json").write_text(
            json.dumps(list(self.commands.values()))
        )
        self.dependencies = self._recorded_dependencies()
        version = subprocess.run(
            [TIDY, "--version"], capture_output=True, check=True
        ).stdout
        self.common = version + (root / ".clang-tidy").read_bytes()

    def _recorded_dependencies(self):
        """Object file (absolute) -> our headers that it was made from."""
        listing = subprocess.run(
            ["ninja", "-C", self.build, "-t", "deps"],
            capture_output=True,
            text=True,
        ).stdout
        prefix, found, current = f"{self.root}{os.sep}", {}, None
        for line in listing.splitlines():
            if not line.startswith(" "):
                name = line.partition(":")[0]
                current = found.setdefault(self.build / name, [])
            elif line.strip().startswith(prefix):
                current.append(Path(line.strip()))
        return found

    @cache
    def _all_headers(self):
        return sorted(self.root.glob("src/**/*.h"))

    @cache
    def _digest(self, path):
        return hashlib.sha256(path.read_bytes()).digest()

    def _key(self, source):
        entry = self.commands[source]
        made = Path(entry["directory"]) / _output(entry["command"])
        inputs = self.dependencies.get(made) or self._all_headers()
        key = hashlib.sha256(self.common + entry["command"].encode())
        for path in sorted({source, *inputs}):
            if path.exists():
                key.update(str(path).encode() + self._digest(path))
        return key.hexdigest()

    def check(self, sources):
        """Returns (complaints, number of files to look at). The complaints
        come as the files are done: clang-tidy runs while they are read."""
        foreign = [path for path in sources if path not in self.commands]
        complaints = [f"{path}: is not part of the build" for path in foreign]
        todo = {}
        for source in sources:
            if source in self.commands:
                key, stamp = self._key(source), self._stamp(source)
                if not stamp.exists() or stamp.read_text() != key:
                    todo[source] = key
        return chain(complaints, self._run_all(todo)), len(todo)

    def _run_all(self, todo):
        seen = set()
        largest_first = sorted(todo, key=lambda p: -p.stat().st_size)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = {
                pool.submit(self._run, path): path for path in largest_first
            }
            for run in as_completed(runs):
                source, output = runs[run], run.result()
                if output is None:
                    stamp = self._stamp(source)
                    stamp.parent.mkdir(parents=True, exist_ok=True)
                    stamp.write_text(todo[source])
                else:
                    yield from _new_diagnostics(output, seen)

    def _stamp(self, source):
        return self.stamps / f"{source.relative_to(self.root)}.passed"

    def _run(self, source):
        """None when it passes, else what clang-tidy says."""
        done = subprocess.run(
            [TIDY, "-quiet", "-p", self.database, source],
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return None
        ended = f"{source}: clang-tidy ended with {done.returncode}"
        return done.stdout or f"{ended}: {done.stderr}"


def _output(command):
    words = shlex.split(command)
    return words[words.index("-o") + 1]


def _new_diagnostics(output, seen):
    """The diagnostics in `output` without those in `seen`, to which they are
    added: one in a header comes with every source that includes it."""
    starts = [match.start() for match in DIAGNOSTIC.finditer(output)]
    if not starts:
        return [output.rstrip()]
    blocks = [
        output[a:b].rstrip() for a, b in zip(starts, starts[1:] + [len(output)])
    ]
    new = [block for block in blocks if block not in seen]
    seen.update(new)
    return new
