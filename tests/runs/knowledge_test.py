"""Knowledge of earlier runs from end to end on cpu: a prompt shows a fast program of another
problem with the same tags, the store keeps which, and nothing is read of what is held out.

    knowledge_test.py KERNELBENCH
"""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from one_problem import PROBLEM, check, rows

KERNELBENCH = str(Path(sys.argv[1]).resolve())
MODEL = f"command:{sys.executable} {Path(__file__).with_name('searching_model.py')}"
NAMES = {1: "ReLU", 2: "LeakyReLU", 3: "Threshold"}
FAST = "// a fast program\nint kb_forward;\n"
SECRET = "// a program that nobody may see\n"
FOLDER = Path(".")


def make_pack() -> None:
    """Three problems with one tag in common."""
    level = FOLDER / "pack/level1"
    level.mkdir(parents=True)
    for number, name in NAMES.items():
        (level / f"{number}_{name}.py").write_text(f"# {name}\n{PROBLEM}")
    (level / "problems.toml").write_text(
        "".join(f'["{number}"]\ntags = ["elementwise"]\n' for number in NAMES))


def kernelbench(*options: str, expected: int = 0) -> str:
    """What it prints, or what it complains of."""
    done = subprocess.run([KERNELBENCH, *options], capture_output=True, text=True)
    check(done.returncode == expected, f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout if expected == 0 else done.stderr


def run(store: str, problem: int, *options: str, expected: int = 0) -> str:
    """A run of one answer, judged without times unless these are asked for."""
    trials = () if "--trials" in options else ("--trials", "0")
    return kernelbench(
        "run", "--model", MODEL, "--pack", str(FOLDER / "pack"), "--problem",
        f"level1/{problem}", "--backend", "cpp", "--device", "cpu", "--size", "full",
        "--prompt", "zero-shot", *trials, "--processes", "1", "--store",
        str(FOLDER / store), *options, expected=expected)


def add(store: str, problem: int, source: str, verdict: str) -> None:
    """The judged row of that problem once more, with another source, at 2x."""
    digest = hashlib.sha256(source.encode()).hexdigest()
    with sqlite3.connect(FOLDER / store) as database:
        columns = [c for _, c, *_ in database.execute("PRAGMA table_info(evaluations)")
                   if c != "id"]
        replaced = {"source_hash": f"'{digest}'", "verdict": f"'{verdict}'", "speedup": "2.0",
                    "speedup_low": "1.9", "speedup_high": "2.1", "ruler": ruler(database)}
        values = ", ".join(replaced.get(column, column) for column in columns)
        database.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)",
                         (digest, source.encode()))
        database.execute(f"INSERT INTO evaluations ({', '.join(columns)}) SELECT {values} FROM"
                         f" evaluations WHERE problem_id = 'level1/{problem}' LIMIT 1")


def ruler(database: sqlite3.Connection) -> str:
    """That of any timed row, as SQL."""
    found = database.execute("SELECT ruler FROM evaluations WHERE ruler IS NOT NULL").fetchone()
    check(found is not None, "nothing was timed")
    return "'" + found[0].replace("'", "''") + "'"


def shown(*options: str) -> dict[str, Any]:
    """Of prompt show."""
    return json.loads(kernelbench("prompt", "show", "level1/1", "--pack", str(FOLDER / "pack"),
                                  "--json", *options))


def check_shown() -> None:
    """The fast program is in the prompt and in the store's list of programs."""
    known = str(FOLDER / "known.db")
    where = ["--backend", "cpp", "--prompt", "zero-shot"]
    check(FAST.strip() not in shown(*where)["user"], "knowledge is not off by default")
    found = shown(*where, "--knowledge", known, "--holdout", "1/3")
    check(FAST.strip() in found["user"] and "LeakyReLU" in found["user"], found["user"])
    programs = [{"hash": hashlib.sha256(FAST.encode()).hexdigest(), "run": known,
                 "problem": "level1/2", "sample": 0, "turn": 1}]
    check(found["shown"] == programs, found["shown"])
    run("learned.db", 1, "--knowledge", known, "--holdout", "1/3")
    kept = rows(FOLDER / "learned.db", "SELECT g.shown, CAST(b.bytes AS TEXT) FROM generations g"
                                       " JOIN blobs b ON b.hash = g.prompt_hash")
    check(json.loads(kept[0][0]) == programs, kept)
    check(FAST.strip() in kept[0][1], kept[0][1])
    run("learned.db", 1, "--knowledge", known, "--holdout", "1/3")  # goes on
    said = run("learned.db", 1, expected=2)
    check("begun differently" in said, said)


def check_held_out() -> None:
    """Who looks at a row of level1/3 fails, as its verdict is none."""
    known = str(FOLDER / "known.db")
    add("known.db", 3, SECRET, "poison")
    said = run("other.db", 1, "--knowledge", known, expected=3)
    check("poison" in said, said)
    run("other.db", 1, "--knowledge", known, "--holdout", "level1/3")
    said = run("from.db", 3, "--turns", "2", "--from", f"{known}/0", "--holdout", "level1",
               expected=2)
    check("level1/3 is held out" in said, said)
    said = run("none.db", 1, "--knowledge", known, "--holdout", "level1", expected=2)
    check("no program for cpp" in said, said)
    said = run("none.db", 1, "--knowledge", known, "--holdout", "level7", expected=2)
    check("--holdout level7" in said, said)
    said = run("known.db", 2, "--knowledge", known, expected=2)
    check("the store that the run writes to" in said, said)


def main() -> None:
    """All of it."""
    global FOLDER
    with tempfile.TemporaryDirectory(prefix="knowledge-") as name:
        FOLDER = Path(name)
        os.environ.update(KB_CACHE=name + "/cache", XDG_DATA_HOME=name)
        make_pack()
        run("known.db", 2, "--trials", "3")
        run("known.db", 3, "--trials", "3")
        add("known.db", 2, FAST, "correct")
        check_shown()
        check_held_out()
    print("a program of another problem is shown and kept, and what is held out is not read")


if __name__ == "__main__":
    main()
