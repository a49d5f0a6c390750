"""Hostile builds leave nothing behind: no file, no process, no artefact.

    builds_test.py KERNELBENCH

Judged with a cache and a folder for temporary files of their own, on cpu.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Of tests/hostile/compiler, and the verdict.
PROGRAMS = {
    "symlinks.py": "incorrect",
    "huge_output.py": "compile_error",
    "shell_words.py": "compile_error",
    "leaves_a_process.py": "incorrect",
    "fills_output.cpp": "compile_error",
    "includes_ours.cpp": "compile_error",
}
PROGRAMS_AT = Path(__file__).resolve().parents[1] / "hostile" / "compiler"
MOST_BYTES = 1 << 20  # of the cache: logs, and what is ours


def size(folder: Path) -> int:
    """Bytes of all files below."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def processes(folder: str) -> list[str]:
    """The programs that have `folder` in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if folder.encode() in (process / "environ").read_bytes():
                found.append((process / "comm").read_text().strip())
        except OSError:  # it has ended, or is another user's
            continue
    return found


def main() -> int:
    wrong = []
    missing = dict(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder:
        cache, temporary = Path(folder, "cache"), Path(folder, "tmp")
        os.chmod(folder, 0o755)
        temporary.mkdir(0o755)
        environment = {**os.environ, "KB_CACHE": str(cache), "TMPDIR": str(temporary)}
        command = [sys.argv[1], "eval", *(str(PROGRAMS_AT / name) for name in PROGRAMS)]
        command += ["--device", "cpu", "--trials", "0", "--no-store", "--json-lines"]
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=False
        )
        for line in map(json.loads, done.stdout.splitlines()):
            evaluation = line.get("evaluation", line)
            name, found = evaluation["candidate"]["name"], evaluation["verdict"]
            print(f"{name}: {found} ({evaluation['reason'][:120]})")
            if found != missing.pop(name):
                wrong.append(f"{name} is {found}, not {PROGRAMS[name]}")
        wrong += [f"{name} was not judged" for name in missing]
        for path in temporary.iterdir():
            wrong.append(f"{path} is left")
        if size(cache / "artifacts") > MOST_BYTES:
            wrong.append(f"the artefacts have {size(cache / 'artifacts')} bytes")
        if left := processes(folder):
            wrong.append(f"still running: {', '.join(left)}")
    print("\n".join(wrong) or "nothing is left")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
