"""Checks what runs elsewhere: the Dockerfile, the example workflow and the notebook.
Their shell goes through shellcheck."""

import ast
import json
import re
import subprocess
from pathlib import Path

INSTRUCTIONS = {
    "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "LABEL",
    "RUN", "SHELL", "USER", "VOLUME", "WORKDIR",
}  # fmt: skip


def shellcheck(name, script):
    """Complaints about a script that another file holds."""
    done = subprocess.run(
        ["shellcheck", "--shell=bash", "--format=gcc", "-"],
        input=script,
        capture_output=True,
        text=True,
    )
    return [f"{name}: {line}" for line in done.stdout.splitlines()]


def instructions(text):
    """(line number, whole instruction) of a Dockerfile."""
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    whole, start = "", 0
    for number, line in lines:
        start = start if whole else number
        whole += line.removesuffix("\\") + "\n" if line.endswith("\\") else line
        if not line.endswith("\\"):
            yield start, whole
            whole = ""
    if whole:
        yield start, whole


def check_dockerfile(path):
    root, complaints = path.parent, []
    found = list(instructions(path.read_text()))
    if not found or not found[0][1].startswith(("FROM ", "ARG ")):
        complaints.append(f"{path}:1: begins with FROM")
    for number, text in found:
        word, _, rest = text.partition(" ")
        place = f"{path}:{number}"
        if word not in INSTRUCTIONS:
            complaints.append(f"{place}: no instruction {word}")
        if word == "FROM" and not re.search(r":[^\s]*\d", rest):
            complaints.append(f"{place}: the base image has no version")
        if word in ("CMD", "ENTRYPOINT"):
            try:
                json.loads(rest)
            except ValueError:
                complaints.append(f"{place}: {word} is not a JSON array")
        if word == "COPY":
            complaints += [
                f"{place}: there is no {source}"
                for source in rest.split()[:-1]
                if not source.startswith("--") and not (root / source).exists()
            ]
        if word == "RUN":
            complaints += shellcheck(place, rest + "\n")
    return complaints


def shell_blocks(lines):
    """(line number, script) of `run:` in a workflow, in one line or below."""
    for i, line in enumerate(lines):
        match = re.match(r"(\s*)(?:- )?run: (.*)", line)
        if not match:
            continue
        if match[2].strip() != "|":
            yield i + 1, match[2] + "\n"
            continue
        body = []
        for later in lines[i + 1 :]:
            indent = len(later) - len(later.lstrip())
            if later.strip() and indent <= len(match[1]):
                break
            body.append(later)
        first = min(len(b) - len(b.lstrip()) for b in body if b.strip())
        yield i + 2, "".join(b[first:] + "\n" for b in body)


def check_workflow(path):
    lines = path.read_text().splitlines()
    complaints = [
        f"{path}:{number}: a tab, which YAML does not allow"
        for number, line in enumerate(lines, 1)
        if "\t" in line
    ]
    for number, line in enumerate(lines, 1):
        if (len(line) - len(line.lstrip())) % 2:
            complaints.append(f"{path}:{number}: indented by an odd number")
        used = re.search(r"uses: (\S+)", line)
        if used and not re.search(r"@v?\d", used[1]):
            complaints.append(f"{path}:{number}: {used[1]} has no version")
    keys = {line.split(":")[0] for line in lines if re.match(r"\w", line)}
    for key in {"name", "on", "permissions", "jobs"} - keys:
        complaints.append(f"{path}: there is no {key}")
    for number, script in shell_blocks(lines):
        complaints += shellcheck(f"{path}:{number}", script)
    return complaints


def check_notebook(path):
    complaints = []
    for i, cell in enumerate(json.loads(path.read_text())["cells"]):
        if cell["cell_type"] != "code":
            continue
        if cell["outputs"] or cell["execution_count"] is not None:
            complaints.append(f"{path}: cell {i} holds what it printed")
        try:
            ast.parse("".join(cell["source"]))
        except SyntaxError as error:
            complaints.append(f"{path}: cell {i}, line {error.lineno}: {error.msg}")
    return complaints


def check(root: Path):
    """Complaints, and how many files there were."""
    found = [(check_dockerfile, root / "Dockerfile")]
    found += [(check_workflow, p) for p in sorted((root / "examples").glob("*.yml"))]
    found += [(check_notebook, p) for p in sorted((root / "examples").glob("*.ipynb"))]
    complaints = [each for checker, path in found for each in checker(path)]
    return complaints, len(found)
