"""The worked examples of share/prompts get the verdicts in examples.expected.

    examples_test.py KERNELBENCH [DEVICE [BACKEND...]]

DEVICE is cpu (the default) or cuda:N. BACKEND: only these folders. All are judged by one command,
which builds them side by side.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "share/prompts/examples"


def pack(folder: Path) -> dict[str, str]:
    """Makes a pack of the examples' problems; the id of each by its name.

    At the small size few rows are left, because Triton's interpreter takes milliseconds for each
    program.
    """
    ids = {}
    level = folder / "level1"
    level.mkdir(parents=True)
    notes = []
    for number, problem in enumerate(sorted((EXAMPLES / "problems").glob("*.py")), 1):
        shutil.copy(problem, level / f"{number}_{problem.name}")
        ids[problem.stem] = f"level1/{number}"
        if any(line.startswith("rows = ") for line in problem.read_text().splitlines()):
            notes.append(f'["{number}"]\nsmall = {{ rows = 61 }}\n')
    (level / "problems.toml").write_text("".join(notes))
    return ids


def expected(column: int) -> dict[str, str]:
    """Of each example, by its path. Every one must be in the list, and the other way round."""
    lines = (HERE / "examples.expected").read_text().splitlines()
    rows = [line.split() for line in lines if line and line[0] != "#"]
    there = {
        str(file.relative_to(EXAMPLES))
        for file in EXAMPLES.rglob("*")
        if file.is_file() and not {"problems", "__pycache__"} & set(file.parts)
    }
    listed = {row[0] for row in rows}
    if there != listed:
        raise SystemExit(f"examples.expected and {EXAMPLES} differ in {sorted(there ^ listed)}")
    return {row[0]: row[column] for row in rows}


def judged(command: list[str], ids: dict[str, str], files: list[str]) -> dict[str, tuple[str, str]]:
    """Verdict and reason of each: "correct", "not_run" where it was compiled, or "wrong"."""
    tasks = [
        {"id": file, "problem": ids[Path(file).stem], "path": str(EXAMPLES / file)}
        for file in files
    ]
    done = subprocess.run(
        command,
        input="".join(json.dumps(task) + "\n" for task in tasks),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    verdicts = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        verdict, reason = answer.get("verdict"), answer.get("reason", answer.get("error", ""))
        if verdict is None and "compiled" in reason:
            verdict = "not_run"
        known = verdict in ("correct", "not_run")
        verdicts[answer["id"]] = (verdict if known else "wrong", f"{reason}\n{answer.get('log', '')}")
    return verdicts


def main() -> int:
    """Prints a line for each example; 1 when one is not as expected."""
    program, backends = sys.argv[1], sys.argv[3:]
    device = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    on_cpu = device == "cpu"
    wanted = {
        file: verdict
        for file, verdict in expected(1 if on_cpu else 2).items()
        if not backends or file.split("/")[0] in backends
    }
    files = [file for file, verdict in wanted.items() if verdict != "unverified"]
    with tempfile.TemporaryDirectory() as folder:
        ids = pack(Path(folder))
        command = [program, "eval", "--json-lines", "-", "--device", device]
        command += ["--size", "small" if on_cpu else "full", "--no-store", "--trials", "0"]
        verdicts = judged([*command, "--pack", folder], ids, files)
    failed = not files
    for file in files:
        verdict, why = verdicts.get(file, ("wrong", "no answer"))
        right = verdict == wanted[file]
        failed |= not right
        print(f"{file:<38} {verdict}" + ("" if right else f", expected {wanted[file]}: {why}"))
    print(f"{len(files)} examples checked on {device}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
